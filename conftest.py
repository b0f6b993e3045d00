"""Fixtures of the kernel for all tests of the repository."""

pytest_plugins = ["solaris_shared.testing.fixtures"]
