"""Alembic's entry; the kernel runs it, with the connection it hands over."""

from solaris_shared.migrate import run_env

run_env()
