"""The manifests for Kubernetes have the form that Kubernetes expects, and their parts fit together. No cluster has tried them."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.cluster.key_folder import COPIED
from app.cluster.ray_process import SERVING
from app.settings import Settings

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes"
VERSION = "1.34"
# how long a node waits for its head, and how long Ray drains, which terminationGracePeriodSeconds says here
SET_BY_KUBERAY = ("RAY_gcs_rpc_server_reconnect_timeout_s", "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S")
SECRET_VALUES = {"GRADROOM_DATABASE_URL", "GRADROOM_COOKIE_SECRET", "GRADROOM_OPERATOR_TOKEN"}


def load(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


def service_of(overlay: str | None) -> dict[str, Any]:
    """Return the RayService of the base or of an overlay."""
    (service,) = load("base/runners.yaml")
    service = json.loads(json.dumps(service))
    for operation in load(f"overlays/{overlay}/nodes.yaml")[0] if overlay else []:
        patch(service, operation)
    return service


def patch(document: Any, operation: dict[str, Any]) -> None:
    """Apply an operation of RFC 6902: add, copy to the end of a list, or replace."""
    if operation["op"] == "add":
        *path, last = operation["path"].split("/")[1:]
        target = find(document, path)
        if last == "-":
            target.append(operation["value"])
        else:
            assert last not in target
            target[last] = operation["value"]
    elif operation["op"] == "copy":
        value = copy.deepcopy(find(document, operation["from"].split("/")[1:]))
        find(document, operation["path"].split("/")[1:-1]).append(value)
    else:
        *path, last = operation["path"].split("/")[1:]
        target = find(document, path)
        assert last in target or isinstance(target, list)
        target[int(last) if isinstance(target, list) else last] = operation["value"]


def find(document: Any, path: list[str]) -> Any:
    for key in path:
        document = document[int(key) if isinstance(document, list) else key]
    return document


def pods_of(service: dict[str, Any]) -> list[dict[str, Any]]:
    cluster = service["spec"]["rayClusterConfig"]
    return [group["template"] for group in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"])]


def test_each_document_fits_the_schema_of_its_kind() -> None:
    """KubeRay's kinds are not Kubernetes' own, so of a RayService the pods are checked, which are most of it."""
    validate = pytest.importorskip("kubernetes_validate").validate
    documents = [one for name in ("base/web.yaml", "base/network-policies.yaml") for one in load(name)]
    for pod in pods_of(service_of("four-nodes")):
        metadata = {"name": "pod", **pod["metadata"]}
        documents += [{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": pod["spec"]}]
    assert len(documents) == 12
    for document in documents:
        validate(document, VERSION, strict=True)


@pytest.mark.parametrize(("overlay", "names"), [(None, ["n1", "n2"]), ("four-nodes", ["n1", "n2", "n3", "n4"])])
def test_each_node_has_a_relay_which_can_only_be_there_and_a_runner_of_its_name(overlay: str | None, names: list[str]) -> None:
    service = service_of(overlay)
    applications = yaml.safe_load(service["spec"]["serveConfigV2"])["applications"]
    groups = service["spec"]["rayClusterConfig"]["workerGroupSpecs"]
    assert [one["name"] for one in applications] == [one["groupName"] for one in groups] == names
    for name, application, group in zip(names, applications, groups, strict=True):
        assert application["route_prefix"] == f"/nodes/{name}"
        assert application["args"]["node"] == name
        assert json.loads(json.loads(group["rayStartParams"]["resources"])) == {f"gradroom-{name}": 1}
        runner = group["template"]["spec"]["containers"][1]
        assert {one["name"]: one.get("value") for one in runner["env"]}["GRADROOM_NODE"] == name
        assert runner["args"][-1] == application["args"]["socket"]


def test_with_redis_the_head_gets_its_address_and_the_password_from_a_secret_and_may_reach_it() -> None:
    validate = pytest.importorskip("kubernetes_validate").validate
    service = service_of(None)
    patch(service, *load("components/redis/state.yaml")[0])
    options = service["spec"]["rayClusterConfig"]["gcsFaultToleranceOptions"]
    host, port = options["redisAddress"].split(":")
    assert options["redisPassword"]["valueFrom"]["secretKeyRef"] == {"name": "gradroom-redis", "key": "password"}
    policy = next(one for one in load("base/network-policies.yaml") if one["metadata"]["name"] == "gradroom-ray")
    patch(policy, *load("components/redis/network-policy.yaml")[0])
    validate(policy, VERSION, strict=True)
    (allowed,) = policy["spec"]["egress"][-1]["to"]
    assert allowed["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"] == host.split(".")[1]
    assert policy["spec"]["egress"][-1]["ports"] == [{"port": int(port)}]


def test_ray_has_on_kubernetes_the_settings_that_it_has_by_hand() -> None:
    for pod in pods_of(service_of(None)):
        ray = {one["name"]: one["value"] for one in pod["spec"]["containers"][0]["env"]}
        by_hand = {name: value for name, value in SERVING.items() if name not in SET_BY_KUBERAY}
        assert {name: ray.get(name) for name in by_hand} == by_hand


def test_no_secret_of_web_is_where_programs_run_and_the_runner_has_none() -> None:
    for pod in pods_of(service_of(None)):
        for container in pod["spec"]["containers"]:
            assert not SECRET_VALUES & {one["name"] for one in container.get("env", [])}
            mounted = {one["name"] for one in container["volumeMounts"]}
            assert ("token" in mounted) == (container["name"] != "runner")
    assert "runner_token" in Settings.model_fields and "run_token" in COPIED
