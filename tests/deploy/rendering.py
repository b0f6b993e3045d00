"""What kustomize would apply, and what compose would run.

The renderer knows the few features of kustomize that deploy/k8s uses, with the meaning of kustomize's
reference, and refuses every other key: a feature that it does not know can never be skipped in silence.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
OVERLAY = ROOT / "deploy" / "k8s" / "overlays" / "example"
BASE = ROOT / "deploy" / "k8s" / "base"
SERVICES = ("league", "combat", "economy", "mail")
KNOWN = {
    "apiVersion", "kind", "resources", "namespace", "images", "generatorOptions", "configMapGenerator",
    "secretGenerator", "patches",
}  # fmt: skip
CLUSTER_WIDE = {"Namespace"}
WORKLOADS = ("Deployment", "StatefulSet", "Job")
VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")

Object = dict[str, Any]


def render(folder: Path, secrets: Path) -> list[Object]:
    """All objects of a kustomization; generated secrets read their files from `secrets`."""
    text = yaml.safe_load((folder / "kustomization.yaml").read_text())
    assert set(text) <= KNOWN, f"the renderer does not know {set(text) - KNOWN}"
    objects = [o for name in text.get("resources", []) for o in _resource(folder, name, secrets)]
    objects += list(_generated(text, folder, secrets))
    for one in text.get("patches", []):
        _patch(objects, one)
    for one in objects:
        _place(one, text.get("namespace"))
        _images(one, text.get("images", []))
    names = [(o["kind"], o["metadata"]["name"]) for o in objects]
    assert len(names) == len(set(names)), "two objects of one name"
    return objects


def _resource(folder: Path, name: str, secrets: Path) -> Iterator[Object]:
    path = folder / name
    if path.is_dir():
        yield from render(path, secrets)
    else:
        assert path.resolve().is_relative_to(folder.resolve()), "kustomize reads files below its folder only"
        yield from yaml.safe_load_all(path.read_text())


def _generated(text: Object, folder: Path, secrets: Path) -> Iterator[Object]:
    generators = [("ConfigMap", one) for one in text.get("configMapGenerator", [])]
    generators += [("Secret", one) for one in text.get("secretGenerator", [])]
    if generators:
        assert text["generatorOptions"] == {"disableNameSuffixHash": True}
    for kind, one in generators:
        assert set(one) == {"name", "files"}
        data = {Path(name).name: _file(folder, secrets, name).read_text() for name in one["files"]}
        field = "data" if kind == "ConfigMap" else "stringData"
        yield {"apiVersion": "v1", "kind": kind, "metadata": {"name": one["name"]}, field: data}


def _file(folder: Path, secrets: Path, name: str) -> Path:
    assert ".." not in name, "kustomize reads files below its folder only"
    return secrets / name.removeprefix("secrets/") if name.startswith("secrets/") else folder / name


def _patch(objects: list[Object], one: Object) -> None:
    """A strategic merge of a ConfigMap's data; nothing else is used."""
    assert set(one) == {"patch"}
    wanted = yaml.safe_load(one["patch"])
    assert wanted["kind"] == "ConfigMap" and set(wanted) == {"apiVersion", "kind", "metadata", "data"}
    [found] = [
        o for o in objects if (o["kind"], o["metadata"]["name"]) == ("ConfigMap", wanted["metadata"]["name"])
    ]
    found["data"] |= wanted["data"]


def _place(one: Object, namespace: str | None) -> None:
    if namespace and one["kind"] not in CLUSTER_WIDE:
        one["metadata"]["namespace"] = namespace


def _images(one: Object, images: list[Object]) -> None:
    for container in containers(one):
        for image in images:
            if container["image"].split(":")[0] == image["name"]:
                container["image"] = f"{image['newName']}:{image['newTag']}"


def pod(one: Object) -> Object:
    """The pod's specification of a workload."""
    return one["spec"]["template"]["spec"]


def containers(one: Object) -> list[Object]:
    """The containers of a workload, none of another object."""
    return pod(one)["containers"] if one["kind"] in WORKLOADS else []


def settings(one: Object, objects: list[Object]) -> dict[str, str]:
    """Environment of a workload's only container, with the values of its ConfigMap."""
    [container] = containers(one)
    found: dict[str, str] = {}
    for source in container.get("envFrom", []):
        name = source["configMapRef"]["name"]
        [chosen] = [o for o in objects if o["kind"] == "ConfigMap" and o["metadata"]["name"] == name]
        found |= chosen["data"]
    for entry in container["env"]:
        referred = "value" not in entry
        found[entry["name"]] = _referred(entry["valueFrom"], objects) if referred else entry["value"]
    return found


def _referred(source: Object, objects: list[Object]) -> str:
    """The value of a ConfigMap's key, or the pod's own name; nothing else is used."""
    if set(source) == {"fieldRef"}:
        return str(source["fieldRef"]["fieldPath"])
    assert set(source) == {"configMapKeyRef"}
    wanted = source["configMapKeyRef"]
    [chosen] = [o for o in objects if (o["kind"], o["metadata"]["name"]) == ("ConfigMap", wanted["name"])]
    return str(chosen["data"][wanted["key"]])


def compose() -> Object:
    """docker-compose.yml with its variables at their defaults and without the x- extensions."""
    text = VARIABLE.sub(lambda found: found[2], (ROOT / "docker-compose.yml").read_text())
    assert "${" not in text
    document = yaml.safe_load(text)
    return {key: deepcopy(value) for key, value in document.items() if not key.startswith("x-")}
