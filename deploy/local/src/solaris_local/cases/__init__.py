"""Runs case files (data of rules and their results) through the functions used in play.

Each module of this package may offer KINDS (one kind of JSON Lines file, by its stem) and OPS (one operation
of a YAML file); `runner` collects them.
"""
