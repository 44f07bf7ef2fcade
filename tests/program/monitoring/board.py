"""Reads a Grafana board with the types that Grafana publishes, and writes it again: what they do not know is lost on
the way. Names each such place, and each panel of a type that Grafana does not have.

  python3 board.py grafana.json            needs grafana-foundation-sdk, of PyPI
"""
import json
import sys

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.cog.runtime import panelcfg_config
from grafana_foundation_sdk.models.dashboard import Dashboard


def changes(told, read, place):
    """The places where what was read is another than what was told."""
    if isinstance(told, dict) and isinstance(read, dict):
        for key, value in told.items():
            yield from changes(value, read.get(key), f"{place}.{key}")
    elif isinstance(told, list) and isinstance(read, list) and len(told) == len(read):
        for at, pair in enumerate(zip(told, read)):
            yield from changes(*pair, f"{place}[{at}]")
    elif told != read:
        yield f"{place}: Grafana reads {read!r}"


def main(path):
    register_default_plugins()
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    read = json.loads(JSONEncoder().encode(Dashboard.from_json(told)))
    faults = list(changes(told, read, "board"))
    types = {panel["type"] for panel in told["panels"]}
    faults += [f"no panel is a `{kind}`" for kind in sorted(types) if panelcfg_config(kind) is None]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
