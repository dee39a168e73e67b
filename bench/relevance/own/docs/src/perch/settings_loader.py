"""Settings from defaults, file, environment and command line, in this order."""

import os
import tomllib

UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def load_settings(path: str, flags: dict) -> dict:
    with open(path, "rb") as file:
        settings = tomllib.load(file)
    return {**settings, **read_environment("PERCH_"), **flags}


def read_environment(prefix: str) -> dict:
    return {name.removeprefix(prefix).lower(): value for name, value in os.environ.items() if name.startswith(prefix)}


def parse_duration(text: str) -> float:
    """Seconds of "20s" or "14d"."""
    for unit in sorted(UNITS, key=len, reverse=True):
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * UNITS[unit]
    raise ValueError(text)
