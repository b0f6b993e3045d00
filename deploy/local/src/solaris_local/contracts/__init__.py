"""The public contracts, generated from the code: event schemas with examples, AsyncAPI, OpenAPI."""
