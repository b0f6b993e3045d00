"""The rendered manifests: valid, hardened line by line, and traffic goes along declared edges only."""

import ipaddress
import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
from rendering import BASE, OVERLAY, SERVICES, containers, pod, render, settings
from traffic import allowed

from solaris_local.secret_files import SecretFiles
from solaris_shared.http.server import GRACE_SECONDS

VERSIONS = ("1.32", "1.37")
PROCESSES = {f"{service}-{part}" for service in SERVICES for part in ("api", "worker", "migrate")}
LASTING = {"postgres", "nats", "console"} | {n for n in PROCESSES if not n.endswith("-migrate")}
EVERYTHING = LASTING | PROCESSES | {"databases"}
KINDS = {"Deployment", "StatefulSet", "Job"}
TERMINATING = {"console": 40, "postgres": 120, "nats": 60}
Object = dict[str, Any]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `solaris secrets` makes."""
    folder = tmp_path_factory.mktemp("secrets")
    SecretFiles(folder).make()
    return folder


@pytest.fixture(scope="module")
def objects(secrets: Path) -> list[Object]:
    """Everything the example overlay applies."""
    return render(OVERLAY, secrets)


@pytest.fixture(scope="module")
def workloads(objects: list[Object]) -> dict[str, Object]:
    """The workloads by name."""
    return {o["metadata"]["name"]: o for o in objects if o["kind"] in KINDS}


def named(objects: list[Object], kind: str) -> dict[str, Object]:
    """Objects of a kind by name."""
    return {o["metadata"]["name"]: o for o in objects if o["kind"] == kind}


@pytest.mark.parametrize(
    ("folder", "version"), [(BASE, VERSIONS[-1]), *((OVERLAY, version) for version in VERSIONS)]
)
def test_every_object_keeps_the_strict_schema(folder: Path, secrets: Path, version: str) -> None:
    for one in render(folder, secrets):
        kubernetes_validate.validate(one, version, strict=True)


def test_the_strict_schema_sees_a_word_it_does_not_know(objects: list[Object]) -> None:
    one = {**objects[0], "specification": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(one, VERSIONS[-1], strict=True)


def test_everything_is_there(workloads: dict[str, Object]) -> None:
    assert set(workloads) == EVERYTHING


@pytest.mark.parametrize("name", sorted(EVERYTHING))
def test_pods_are_restricted(workloads: dict[str, Object], name: str) -> None:
    """Pod Security Standard `restricted`, and beyond it a read-only root, no token and bounded resources."""
    spec = pod(workloads[name])
    context = spec["securityContext"]
    assert context["runAsNonRoot"] is True and context["runAsUser"] > 0 and context["runAsGroup"] > 0
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    assert spec["automountServiceAccountToken"] is False and spec["serviceAccountName"] == "nobody"
    assert not {"hostNetwork", "hostPID", "hostIPC", "initContainers", "hostUsers"} & set(spec)
    assert spec["enableServiceLinks"] is False
    kinds = {kind for volume in spec["volumes"] for kind in volume if kind != "name"}
    assert kinds <= {"secret", "emptyDir", "configMap", "projected"}
    for container in spec["containers"]:
        own = container["securityContext"]
        assert own["allowPrivilegeEscalation"] is False and own["readOnlyRootFilesystem"] is True
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert set(own) == {"allowPrivilegeEscalation", "readOnlyRootFilesystem", "capabilities"}
        assert not any("hostPort" in port for port in container.get("ports", []))
        for part in ("requests", "limits"):
            assert set(container["resources"][part]) == {"cpu", "memory", "ephemeral-storage"}


def test_the_namespace_enforces_the_restricted_standard(objects: list[Object]) -> None:
    labels = named(objects, "Namespace")["solaris7"]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    assert all(o["metadata"].get("namespace") == "solaris7" for o in objects if o["kind"] != "Namespace")


@pytest.mark.parametrize("name", sorted(LASTING))
def test_probes_are_split_and_liveness_asks_no_other_server(workloads: dict[str, Object], name: str) -> None:
    [container] = containers(workloads[name])
    startup, live, ready = (container[f"{kind}Probe"] for kind in ("startup", "liveness", "readiness"))
    assert live != ready
    assert startup["periodSeconds"] * startup["failureThreshold"] >= 120
    assert live["failureThreshold"] * live["periodSeconds"] >= 60, "slow to kill"
    if name not in ("postgres", "nats"):
        assert live["httpGet"]["path"] == startup["httpGet"]["path"] == "/health/live"
        assert ready["httpGet"]["path"] == "/health/ready"


@pytest.mark.parametrize("name", sorted(LASTING))
def test_pods_have_time_to_finish(workloads: dict[str, Object], name: str) -> None:
    [container] = containers(workloads[name])
    pause = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    assert pod(workloads[name])["terminationGracePeriodSeconds"] > GRACE_SECONDS + pause
    assert name == "postgres" or pause >= 5


def test_every_lasting_workload_has_a_disruption_budget(objects: list[Object]) -> None:
    budgets = named(objects, "PodDisruptionBudget")
    assert set(budgets) == LASTING
    for name, budget in budgets.items():
        assert budget["spec"]["selector"]["matchLabels"] == {"app.kubernetes.io/name": name}
        assert budget["spec"]["maxUnavailable"] == 1


def test_selectors_select_their_pods_and_no_others(
    objects: list[Object], workloads: dict[str, Object]
) -> None:
    labels = {name: one["spec"]["template"]["metadata"]["labels"] for name, one in workloads.items()}
    for name in LASTING:
        assert workloads[name]["spec"]["selector"] == {"matchLabels": {"app.kubernetes.io/name": name}}
    assert all(own["app.kubernetes.io/name"] == name for name, own in labels.items())
    for name, service in named(objects, "Service").items():
        ports = {port["name"] for port in containers(workloads[name])[0]["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports
        assert service["spec"]["selector"] == {"app.kubernetes.io/name": name}
        assert service["spec"].get("type", "ClusterIP") == "ClusterIP"


def test_secrets_are_files_that_exist_and_each_pod_gets_its_own_only(
    objects: list[Object], workloads: dict[str, Object], secrets: Path
) -> None:
    known = named(objects, "Secret")
    values = {path.read_text() for path in secrets.iterdir()} - {""}
    for name, one in workloads.items():
        for volume in pod(one)["volumes"]:
            sources = [volume] if "secret" in volume else volume.get("projected", {}).get("sources", [])
            for source in (s["secret"] for s in sources if "secret" in s):
                secret = known[source.get("secretName") or source["name"]]
                keys = {item["key"] for item in source["items"]}
                assert keys <= set(secret["stringData"]), name
                assert volume.get("secret", volume.get("projected"))["defaultMode"] == 0o440
        for variable in containers(one)[0].get("env", []):
            assert "secretKeyRef" not in variable.get("valueFrom", {}), "never in the environment"
            assert variable.get("value") not in values
        files = {v for v in settings(one, objects).values() if v.startswith("/run/secrets/")}
        assert files <= {f"/run/secrets/{key}" for key in mounted(one)}, name
    assert not [o for o in objects if o["kind"] == "ConfigMap" and set(o["data"].values()) & values]


def mounted(one: Object) -> set[str]:
    """Names of the secret files in a pod."""
    items = [v["secret"]["items"] for v in pod(one)["volumes"] if "secret" in v]
    return {item["path"] for part in items for item in part}


def test_only_migrations_hold_the_owner_and_only_league_signs(workloads: dict[str, Object]) -> None:
    holders: dict[str, set[str]] = {}
    for name, one in workloads.items():
        for key in mounted(one):
            holders.setdefault(key, set()).add(name)
    for service in SERVICES:
        assert holders[f"{service}-migrate.url"] == {f"{service}-migrate"}
        assert holders[f"{service}-database.url"] == {f"{service}-api", f"{service}-worker"}
        assert holders[f"nats-{service}-relay.nk"] == {f"{service}-worker"}
        assert holders[f"{service}-database-owner"] == {"databases"}
    assert holders["token-signing.jwk"] == {"league-api"}
    assert holders["postgres-password"] == {"postgres", "databases"}
    assert holders["console-session"] == {"console"}
    assert "nats-operator.nk" not in holders, "the operator's key stays with the operator"
    assert holders["combat-data"] == {"combat-api", "combat-worker", "combat-migrate"}


def pods(workloads: dict[str, Object]) -> dict[str, Object]:
    """Ends of connections: our pods, strangers inside and outside."""
    ours = {
        name: {"labels": one["spec"]["template"]["metadata"]["labels"], "namespace": {}, "ours": True}
        for name, one in workloads.items()
    }
    stranger = {"labels": {"app.kubernetes.io/name": "postgres"}, "namespace": {"name": "other"}}
    return ours | {
        "stranger": stranger,
        "entrance": {"labels": {}, "namespace": {"solaris7/entrance": "true"}},
        "partners": {"labels": {}, "namespace": {"solaris7/partners": "true"}},
        "monitoring": {"labels": {}, "namespace": {"solaris7/monitoring": "true"}},
        "dns": {
            "labels": {"k8s-app": "kube-dns"},
            "namespace": {"kubernetes.io/metadata.name": "kube-system"},
        },
        "internet": {"labels": None, "address": "203.0.113.9"},
        "metadata": {"labels": None, "address": "169.254.169.254"},
        "private": {"labels": None, "address": "10.1.2.3"},
    }


def expected_edges() -> set[tuple[str, str, int]]:
    """Every edge there is, by name: all others are denied."""
    edges = {("databases", "postgres", 5432), ("nats", "nats", 6222)}
    for service in SERVICES:
        edges |= {(f"{service}-{part}", "postgres", 5432) for part in ("api", "worker", "migrate")}
        edges |= {(f"{service}-worker", "nats", 4222), ("console", f"{service}-api", 8000)}
        edges |= {("entrance", f"{service}-api", 8000)}
        edges |= {(f"{other}-worker", f"{service}-api", 8000) for other in SERVICES}
        edges |= {("monitoring", f"{service}-{part}", 8000) for part in ("api", "worker")}
    edges |= {("entrance", "console", 8000), ("partners", "nats", 4222)}
    edges |= {("mail-worker", "internet", port) for port in (25, 465, 587)}
    return edges | {(name, "dns", 53) for name in EVERYTHING}


def test_traffic_goes_along_the_declared_edges_and_no_others(
    objects: list[Object], workloads: dict[str, Object]
) -> None:
    policies = list(named(objects, "NetworkPolicy").values())
    ends = pods(workloads)
    ports = (25, 53, 80, 443, 465, 587, 4222, 5432, 6222, 8000, 8222)
    found = {
        (source, target, port)
        for source, one in ends.items()
        for target, other in ends.items()
        for port in ports
        if (one.get("ours") or other.get("ours")) and allowed(policies, one, other, port)
    }
    assert found == expected_edges()


def test_links_and_the_consoles_forms_lead_to_hosts_of_the_entrance(
    objects: list[Object], workloads: dict[str, Object]
) -> None:
    spec = named(objects, "Ingress")["entrance"]["spec"]
    services = {
        rule["host"]: rule["http"]["paths"][0]["backend"]["service"]["name"] for rule in spec["rules"]
    }
    assert set(spec["tls"][0]["hosts"]) == set(services)
    own = settings(workloads["console"], objects)
    assert own["SOLARIS_PUBLIC_URL"] == own["SOLARIS_CONSOLE_PUBLIC_URL"]
    assert services[own["SOLARIS_PUBLIC_URL"].removeprefix("https://")] == "console"
    assert services[own["SOLARIS_COMBAT_PUBLIC_URL"].removeprefix("https://")] == "combat-api"


def test_web_processes_trust_the_pods_in_front_of_them(
    objects: list[Object], workloads: dict[str, Object]
) -> None:
    for name in ("console", *(f"{service}-api" for service in SERVICES)):
        trusted = settings(workloads[name], objects)["SOLARIS_TRUSTED_PROXIES"].split(",")
        assert all(ipaddress.ip_network(one).is_private or one == "100.64.0.0/10" for one in trusted)


def test_the_broker_is_three_nodes_that_sync_every_write(
    objects: list[Object], workloads: dict[str, Object]
) -> None:
    assert workloads["nats"]["spec"]["replicas"] == 3
    configuration = named(objects, "ConfigMap")["nats-configuration"]["data"]
    assert re.search(r"^\s*sync_interval: always$", configuration["nats.conf"], re.MULTILINE)
    assert 'include "./nats.conf"' in configuration["cluster.conf"]
    for service in SERVICES:
        assert settings(workloads[f"{service}-worker"], objects)["SOLARIS_STREAM_REPLICAS"] == "3"
    files = {
        item["path"] for s in projected(workloads["nats"]) for item in s.get("secret", {}).get("items", [])
    }
    assert files == {"accounts.conf", "routes.conf"}


def projected(one: Object) -> list[Object]:
    """Sources of the projected volume."""
    [found] = [v["projected"]["sources"] for v in pod(one)["volumes"] if "projected" in v]
    return found


def test_the_database_is_durable(workloads: dict[str, Object]) -> None:
    arguments = containers(workloads["postgres"])[0]["args"]
    for setting in ("fsync=on", "synchronous_commit=on", "full_page_writes=on"):
        assert setting in arguments


def test_images_are_pinned_and_never_latest(workloads: dict[str, Object]) -> None:
    for one in workloads.values():
        [container] = containers(one)
        tag = container["image"].rpartition("/")[2].partition(":")[2]
        assert tag and tag != "latest"


def test_the_four_services_differ_in_their_names_and_secrets_only() -> None:
    def shape(service: str) -> str:
        text = (BASE / f"{service}.yaml").read_text()
        own = r"(DATA_KEY|SIGNING_KEY|SMTP_PASSWORD)_FILE|(-data|token-signing.jwk|smtp-password), path"
        lines = [line for line in text.splitlines() if not re.search(own, line)]
        return "\n".join(lines).replace(service, "service")

    assert len({shape(service) for service in SERVICES}) == 1
