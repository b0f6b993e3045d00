"""Measurements: ratios from interleaved runs on this machine; rates alone say little."""
