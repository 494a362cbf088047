#!/usr/bin/env python3
"""Compares what is done with lists in answers of APIs with jq: --explode, x[*].y, aggregates of lists, --at.

Ten shapes of answers, with the keys that GitHub, Kubernetes, AWS, Docker, npm, Stripe, Slack and Elasticsearch write, are filled
from a seed that is printed with every difference, each four times: as it should be; with lists that are empty, null or not
there, null among elements, and elements without keys; with numbers of many digits, Unicode and escapes; and with all of it and
lists in lists. Of each, jq and tabler answer the same questions, as JSON lines and as csv. jq 1.6 knows only doubles: a number
that it would not print as it came is a marked text for it, and sums that it cannot make are left to Python.
"""
import csv
import dataclasses
import io
import json
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

import harness

# ------------------------------------------------------------------------------------------------------ the answers

KINDS = ["plain", "holes", "digits and escapes", "all of it"]
ODD_KINDS = KINDS[2:]
WORDS = ["bug", "p1", "web", "swift", "needs-triage", "Zoë", "日本語", "good first issue"]
ODD = ["", " ", "007", "true", "null", "1e5", "-", "a,b", 'say "hi"', "C:\\x\\", "two\nlines\r\n", "tab\there", "<b>&'</b>", "\x01\x1f\x7f",
       "😀👩‍👩‍👧", "e\u0301", "\u2028\u2029", "שלום", "[1,2]", '{"a":[1]}', "é" * 90, "\ufeffx", "/", "${x[*].y}"]
DIGITS = ["12345678901234567890", "9007199254740993", "0.1", "0.2", "1.50", "-3", "1e3", "2.5E-3", "99999999999999999999.99", "100.00", "-0.000001"]
NOT_THERE = object()


class Digits(str):
    """A number, spelled."""


class Maker:
    """Fills an answer."""

    def __init__(self, rng, kind):
        self.rng = rng
        self.has_holes, self.is_odd, self.is_nested = kind in KINDS[1::2], kind in ODD_KINDS, kind == KINDS[3]

    def maybe(self, value, chance=0.15):
        """A value, or null, or nothing."""
        if self.has_holes and self.rng.random() < chance:
            return self.rng.choice([None, NOT_THERE])
        return value

    def count(self, most=6):
        return self.rng.choice([0, 1, 1, 2, 2, 3, most])

    def rows(self, make):
        """Records; few of the lists of them have none."""
        return [make(number) for number in range(self.rng.choice([1, 3, 5, 8]) if self.rng.random() < 0.95 else 0)]

    def many(self, make, most=6, nests=True):
        """A list, or what an API gives for none; some have lists in them."""
        made = [self.maybe(make(number)) for number in range(self.count(most))]
        if nests and self.is_nested and made and self.rng.random() < 0.15:
            cut = self.rng.randrange(len(made))
            made = self.rng.choice([[made], [made[:cut], made[cut:]], made + [[]], [[made[:cut]]] + made[cut:]])
        return self.maybe([] if self.has_holes and self.rng.random() < 0.1 else made, 0.25)

    def record(self, members, kept=()):
        """An object, maybe without some of its members."""
        return {key: value if key in kept else self.maybe(value, 0.1) for key, value in members.items()}

    def word(self):
        return self.rng.choice(WORDS)

    def text(self):
        return self.rng.choice(ODD) if self.is_odd and self.rng.random() < 0.5 else self.word() + self.rng.choice(["", " ", "-2", ".", ", x"])

    def number(self, most=1000):
        return Digits(self.rng.choice(DIGITS)) if self.is_odd and self.rng.random() < 0.4 else self.rng.randint(0, most)

    def truth(self):
        return self.rng.random() < 0.5

    def name(self):
        return self.rng.choice(["ana", "bo", "zoë"])

    def hex(self, count):
        return f"{self.rng.getrandbits(4 * count):0{count}x}"

    def time(self):
        return f"202{self.rng.randint(0, 6)}-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}T{self.rng.randint(0, 23):02}:05:09Z"


def filled(value):
    """A value without what is not there; in a list that is null."""
    if isinstance(value, dict):
        return {key: filled(item) for key, item in value.items() if item is not NOT_THERE}
    if isinstance(value, list):
        return [filled(item) for item in value]
    return None if value is NOT_THERE else value


def user(m):
    return {"login": m.name(), "id": m.rng.randint(1, 10**8), "type": m.rng.choice(["User", "Bot"]), "site_admin": False}


def label(m):
    return m.record({"id": m.number(10**10), "node_id": "MDU6" + m.hex(8), "url": "https://api.github.com/repos/o/r/labels/" + m.hex(3),
                     "name": m.text() if m.truth() else "bug", "color": m.hex(6), "default": m.truth(), "description": m.maybe(m.text())})


def issues(m):
    return m.rows(lambda n: m.record({
        "url": f"https://api.github.com/repos/o/r/issues/{n}", "number": n, "title": m.text(), "user": user(m),
        "labels": m.many(lambda _: label(m)), "state": m.rng.choice(["open", "closed"]), "locked": False,
        "assignee": None, "assignees": m.many(lambda _: user(m), 3), "milestone": m.maybe({"number": 1, "title": m.text()}),
        "comments": m.number(), "created_at": m.time(), "closed_at": None, "body": m.text(),
        "reactions": {"total_count": m.number(9), "+1": m.number(9), "-1": 0}}, ("number", "user")))


def pulls(m):
    def side():
        return m.record({"label": "o:" + m.word(), "ref": m.text(), "sha": m.hex(40), "user": user(m), "repo": m.maybe(m.record(
            {"id": m.number(10**9), "full_name": "o/r", "topics": m.many(lambda _: m.text()), "license": m.maybe({"key": "mit"})}))})
    return m.rows(lambda n: m.record({
        "id": m.number(10**10), "number": n, "state": "open", "title": m.text(), "user": user(m), "body": m.maybe(m.text()),
        "requested_reviewers": m.many(lambda _: user(m), 3),
        "requested_teams": m.many(lambda _: m.record({"id": m.number(), "slug": m.word(), "privacy": "closed", "parent": m.maybe(
            {"slug": m.word(), "id": m.number()})}), 3),
        "labels": m.many(lambda _: label(m)), "head": side(), "base": side(), "draft": m.truth(), "merged_at": m.maybe(m.time())},
        ("number", "user")))


def pods(m):
    def container(n):
        return m.record({
            "name": f"{m.word()}-{n}", "image": "nginx:1.2" + str(n), "command": m.many(lambda _: m.text(), 3), "args": m.many(lambda _: m.text(), 3),
            "ports": m.many(lambda _: m.record({"containerPort": m.number(65535), "name": m.word(), "protocol": "TCP"}), 3),
            "env": m.many(lambda _: m.record({"name": m.word(), "value": m.text()}), 3),
            "resources": {"limits": {"memory": "128Mi"}, "requests": m.maybe({"cpu": "100m", "memory": "1Gi"})}, "tty": m.truth()})
    return m.record({"apiVersion": "v1", "items": m.rows(lambda n: m.record({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": m.record({"name": f"pod-{n}", "namespace": m.name(), "creationTimestamp": m.time(), "labels": m.maybe(
            {"app.kubernetes.io/name": m.word(), "pod-template-hash": m.hex(9)}),
            "ownerReferences": m.many(lambda _: {"kind": "ReplicaSet", "uid": m.hex(8), "controller": m.truth()}, 2)}, ("name", "namespace")),
        "spec": m.record({"containers": m.many(container, 4), "nodeName": m.word(), "priority": m.number(), "tolerations": m.many(
            lambda _: m.record({"effect": "NoExecute", "operator": "Exists", "tolerationSeconds": m.number(300)}), 3)}),
        "status": m.record({"phase": "Running", "podIPs": m.many(lambda _: {"ip": f"10.0.0.{m.rng.randint(1, 9)}"}, 2), "containerStatuses": m.many(
            lambda _: m.record({"name": m.word(), "ready": m.truth(), "restartCount": m.number(20), "state": {"running": {"startedAt": m.time()}}}), 4)})},
        ("metadata",))), "kind": "List", "metadata": {"resourceVersion": ""}}, ("items",))


def instances(m):
    def tags():
        return m.many(lambda _: m.record({"Key": m.rng.choice(["Name", "env", "aws:autoscaling:groupName"]), "Value": m.text()}), 4)

    def instance(n):
        return m.record({
            "AmiLaunchIndex": n, "ImageId": "ami-" + m.hex(8), "InstanceId": "i-" + m.hex(17), "InstanceType": m.rng.choice(["t3.micro", "m5.large"]),
            "LaunchTime": m.time(), "State": {"Code": m.number(80), "Name": m.rng.choice(["running", "stopped"])},
            "BlockDeviceMappings": m.many(lambda _: m.record({"DeviceName": "/dev/xvda", "Ebs": m.maybe(
                {"DeleteOnTermination": m.truth(), "Status": "attached", "VolumeId": "vol-" + m.hex(8)})}), 3),
            "NetworkInterfaces": m.many(lambda _: m.record({"NetworkInterfaceId": "eni-" + m.hex(8), "PrivateIpAddresses": m.many(
                lambda _: m.record({"Primary": m.truth(), "PrivateIpAddress": f"10.0.{m.rng.randint(0, 9)}.7"}), 3)}), 3),
            "SecurityGroups": m.many(lambda _: m.record({"GroupName": m.word(), "GroupId": "sg-" + m.hex(8)}), 3),
            "Tags": tags(), "CpuOptions": {"CoreCount": m.number(96), "ThreadsPerCore": 2}})
    return {"Reservations": m.rows(lambda n: m.record({
        "Groups": m.many(lambda _: {"GroupName": m.word(), "GroupId": "sg-" + m.hex(4)}, 2), "Instances": m.many(instance, 4),
        "OwnerId": m.rng.choice(["123456789012", "012345678901"]), "RequesterId": m.maybe(m.hex(6)), "ReservationId": f"r-{n}"}, ("ReservationId", "OwnerId")))}


def roles(m):
    def one_or_more():
        return m.rng.choice([m.word(), m.many(lambda _: m.rng.choice(["s3:GetObject", "s3:*", "*", "é"]), 4)])
    return {"RoleDetailList": m.rows(lambda n: m.record({
        "Path": m.rng.choice(["/", "/service-role/"]), "RoleName": f"role-{n}", "RoleId": "AROA" + m.hex(8), "CreateDate": m.time(),
        "AssumeRolePolicyDocument": m.record({"Version": "2012-10-17", "Statement": m.many(lambda _: m.record(
            {"Effect": m.rng.choice(["Allow", "Deny"]), "Principal": {"Service": one_or_more()}, "Action": one_or_more(),
             "Condition": {"StringLike": {"aws:SourceArn": m.text()}}}), 3)}),
        "InstanceProfileList": m.many(lambda _: {"InstanceProfileName": m.word(), "Roles": m.many(lambda _: {"RoleName": m.word()}, 2)}, 2),
        "RolePolicyList": [], "MaxSessionDuration": m.number(43200),
        "AttachedManagedPolicies": m.many(lambda _: m.record({"PolicyName": m.word(), "PolicyArn": "arn:aws:iam::aws:policy/" + m.word()}), 4),
        "Tags": m.many(lambda _: m.record({"Key": m.word(), "Value": m.text()}), 3)}, ("RoleName", "Path"))), "IsTruncated": False}


def inspected(m):
    return m.rows(lambda n: m.record({
        "Id": m.hex(64), "Created": m.time(), "Path": "/docker-entrypoint.sh", "Args": m.many(lambda _: m.text(), 4), "Name": f"/c{n}",
        "State": {"Status": m.rng.choice(["running", "exited"]), "Running": m.truth(), "Pid": m.number(), "ExitCode": 0},
        "HostConfig": {"Binds": m.maybe(m.many(lambda _: "/data:/data:" + m.rng.choice(["ro", "rw"]), 3)), "ShmSize": 67108864,
                       "Ulimits": m.many(lambda _: m.record({"Name": "nofile", "Hard": m.number(10**6), "Soft": m.number(1024)}), 3)},
        "Mounts": m.many(lambda _: m.record({"Type": m.rng.choice(["bind", "volume"]), "Source": m.text(), "Destination": "/" + m.word(), "Mode": "",
                                            "RW": m.truth(), "Propagation": "rprivate"}), 4),
        "Config": m.record({"Hostname": m.hex(12), "Env": m.many(lambda _: "PATH=" + m.text()), "Cmd": m.many(lambda _: m.text(), 3),
                            "ExposedPorts": {"80/tcp": {}}, "Labels": m.maybe({"com.docker.compose.project": m.word()})}),
        "NetworkSettings": {"Ports": m.record({"80/tcp": m.many(lambda _: m.record(
            {"HostIp": m.rng.choice(["0.0.0.0", "::"]), "HostPort": str(m.rng.randint(1, 65535))}), 3)})}}, ("Name", "State")))


def packument(m):
    versions = {f"{n}.{m.rng.randint(0, 20)}.0": m.record({
        "name": "left-pad", "version": f"{n}.0.0", "license": m.rng.choice(["MIT", "WTFPL"]), "keywords": m.many(lambda _: m.text(), 4),
        "dependencies": m.maybe({m.word(): "^1.0.0"}), "maintainers": m.many(lambda _: m.record({"name": m.word(), "email": m.name() + "@x.example"}), 3),
        "dist": m.record({"shasum": m.hex(40), "fileCount": m.number(20), "unpackedSize": m.number(10**6), "signatures": m.many(
            lambda _: m.record({"keyid": "SHA256:" + m.hex(6), "sig": m.text()}), 2)})}, ("license",)) for n in range(m.count())}
    return {"_id": "left-pad", "name": "left-pad", "dist-tags": {"latest": "1.0.0"}, "versions": versions, "time": {"created": m.time()},
            "maintainers": m.many(lambda _: {"name": m.word()}), "keywords": m.many(lambda _: m.text())}


def invoices(m):
    def line(n):
        return m.record({
            "id": "il_" + m.hex(6), "object": "line_item", "amount": m.number(10**5), "currency": "usd", "description": m.text(),
            "discountable": m.truth(), "quantity": m.number(9), "period": {"start": 1690000000, "end": m.rng.randint(1690000000, 1700000000)},
            "price": m.maybe({"id": "price_" + m.hex(4), "unit_amount": m.number(10**4), "unit_amount_decimal": "12.5", "metadata": {}}),
            "tax_amounts": m.many(lambda _: m.record({"amount": m.number(), "inclusive": m.truth(), "taxability_reason": m.word()}), 3)})
    return {"object": "list", "url": "/v1/invoices", "has_more": False, "data": m.rows(lambda n: m.record({
        "id": f"in_{n}", "object": "invoice", "amount_due": m.number(10**5), "currency": m.rng.choice(["usd", "eur"]), "customer_name": m.text(),
        "discounts": m.many(lambda _: "di_" + m.hex(3), 2), "lines": m.record({"object": "list", "data": m.many(line, 5), "has_more": False}),
        "metadata": {}, "paid": m.truth(), "total_tax_amounts": m.many(lambda _: {"amount": m.number(), "inclusive": m.truth()}, 2)}, ("id", "currency")))}


def messages(m):
    def element():
        return m.record({"type": m.rng.choice(["text", "link", "emoji"]), "text": m.text(), "style": m.maybe({"bold": m.truth()})})
    return {"ok": True, "messages": m.rows(lambda n: m.record({
        "type": "message", "user": m.rng.choice(["U012AB3CDE", "W012A3CDE"]), "text": m.text(), "ts": f"15123554{n:02}.00024{n % 10}",
        "team": "T1", "edited": m.maybe({"user": "U1", "ts": "1512355555.000001"}), "reply_count": m.number(9),
        "reactions": m.many(lambda _: m.record({"name": m.rng.choice(["+1", "tada", m.word()]), "users": m.many(lambda _: "U" + m.hex(2), 4),
                                               "count": m.number(9)}), 4),
        "blocks": m.many(lambda _: m.record({"type": "rich_text", "block_id": m.hex(3), "elements": m.many(
            lambda _: {"type": "rich_text_section", "elements": m.many(lambda _: element(), 3)}, 3)}), 2),
        "files": m.many(lambda _: m.record({"id": "F" + m.hex(8), "name": m.text(), "size": m.number(10**7), "is_public": m.truth(),
                                           "timestamp": str(m.rng.randint(10**9, 2 * 10**9))}), 3)}, ("ts", "user"))),
        "has_more": True, "pin_count": 0, "response_metadata": {"next_cursor": "bmV4dF90czoxNTEyMDg1ODYxMDAwNTQz"}}


def hits(m):
    def comment():
        return m.record({"author": m.name(), "stars": m.number(5), "text": m.text(), "tags": m.many(lambda _: m.word(), 2), "flagged": m.truth()})
    return {"took": 5, "timed_out": False, "_shards": {"total": 1, "failed": 0}, "hits": {
        "total": {"value": 10000, "relation": "gte"}, "max_score": m.maybe(Digits("1.3862942")), "hits": m.rows(lambda n: m.record({
            "_index": m.rng.choice(["my-index-000001", "logs"]), "_id": str(n), "_score": m.rng.choice([None, Digits("1.3862944"), Digits("0.0")]),
            "_source": m.record({"@timestamp": m.time(), "message": m.text(), "tags": m.many(lambda _: m.text()), "comments": m.many(
                lambda _: comment(), 4), "location": {"lat": Digits("52.37"), "lon": Digits("4.8916")}}),
            "highlight": m.record({"message": m.many(lambda _: "<em>" + m.text() + "</em>", 2)}), "matched_queries": m.many(lambda _: m.word(), 3),
            "sort": m.many(lambda _: m.number(10**13), 3, False)}, ("_id", "_index")))},
        "aggregations": {"by_tag": {"doc_count_error_upper_bound": 0, "buckets": m.rows(lambda n: {
            "key": m.word(), "doc_count": m.number(), "top": {"buckets": [{"key": n}]}})}}}


@dataclasses.dataclass
class Shape:
    """An answer, and what is asked of it."""

    name: str
    make: object
    # Where the rows are, a column that tells them apart, and one by which they are grouped.
    at: str
    id: str
    group: str
    # Lists that become rows, alone or one after the other, each with something in the last element.
    explodes: list
    # What is in lists: texts, numbers, truths, and the elements themselves; and a list in an element, after `--explode`.
    texts: list
    numbers: list
    truths: list
    wholes: list
    inner: tuple
    word: str = "bug"
    # Other places with rows or values.
    ats: tuple = ()


SHAPES = [
    Shape("GitHub issues", issues, "", "number", "user.login",
          [("labels", "name"), ("assignees", "login"), ("labels", "assignees", "id")], ["labels[*].name", "assignees[*].login"],
          ["labels[*].id", "assignees[*].id"], ["labels[*].default"], ["labels[*]"], ("labels", "assignees[*].login"), ats=("[0].labels", "[0].assignees")),
    Shape("GitHub pull requests", pulls, "", "number", "user.login",
          [("head.repo.topics", ""), ("requested_teams", "parent.slug"), ("labels", "requested_reviewers", "login")],
          ["head.repo.topics[*]", "requested_teams[*].parent.slug"], ["requested_teams[*].parent.id", "labels[*].id"],
          ["labels[*].default", "requested_reviewers[*].site_admin"], ["requested_teams[*]", "base.repo.topics[*]"],
          ("requested_teams", "labels[*].id"), "swift", ats=("[0].head.repo.topics",)),
    Shape("Kubernetes pods", pods, "items", "metadata.name", "metadata.namespace",
          [("spec.containers", "image"), ("spec.containers", "spec.containers.ports", "containerPort"), ("metadata.ownerReferences", "kind")],
          ["spec.containers[*].name", "spec.containers[*].env[*].name", "status.podIPs[*].ip", "spec.containers[*].args[*]"],
          ["status.containerStatuses[*].restartCount", "spec.containers[*].ports[*].containerPort", "spec.tolerations[*].tolerationSeconds"],
          ["status.containerStatuses[*].ready", "spec.containers[*].tty"], ["spec.containers[*]", "spec.containers[*].ports[*]", "spec.containers[*].args"],
          ("spec.containers", "spec.containers.ports[*].containerPort"), "web-0", ats=("items[0].spec.containers", "items[0].spec.containers[0].args")),
    Shape("AWS EC2 describe-instances", instances, "Reservations", "ReservationId", "OwnerId",
          [("Instances", "InstanceId"), ("Instances", "Instances.Tags", "Value"), ("Instances", "Instances.SecurityGroups", "GroupName"),
           ("Instances", "Instances.NetworkInterfaces", "Instances.NetworkInterfaces.PrivateIpAddresses", "PrivateIpAddress")],
          ["Instances[*].InstanceType", "Instances[*].Tags[*].Value", "Instances[*].NetworkInterfaces[*].PrivateIpAddresses[*].PrivateIpAddress"],
          ["Instances[*].State.Code", "Instances[*].CpuOptions.CoreCount"],
          ["Instances[*].BlockDeviceMappings[*].Ebs.DeleteOnTermination", "Instances[*].NetworkInterfaces[*].PrivateIpAddresses[*].Primary"],
          ["Instances[*]", "Instances[*].Tags[*]", "Instances[*].NetworkInterfaces"], ("Instances", "Instances.Tags[*].Value"), "t3.micro",
          ats=("Reservations[0].Instances", "Reservations[0].Instances[0].Tags")),
    Shape("AWS IAM roles", roles, "RoleDetailList", "RoleName", "Path",
          [("AssumeRolePolicyDocument.Statement", "Effect"), ("AttachedManagedPolicies", "PolicyArn"),
           ("AssumeRolePolicyDocument.Statement", "AssumeRolePolicyDocument.Statement.Action", ""),
           ("InstanceProfileList", "InstanceProfileList.Roles", "RoleName")],
          ["AttachedManagedPolicies[*].PolicyName", "AssumeRolePolicyDocument.Statement[*].Effect", "AssumeRolePolicyDocument.Statement[*].Action[*]"],
          [], [], ["AssumeRolePolicyDocument.Statement[*].Action", "RolePolicyList[*]", "InstanceProfileList[*].Roles[*].RoleName"],
          ("AssumeRolePolicyDocument.Statement", "AssumeRolePolicyDocument.Statement.Action[*]"), "Allow", ats=("RoleDetailList[0].Tags",)),
    Shape("docker inspect", inspected, "", "Name", "State.Status",
          [("Mounts", "Destination"), ("Config.Env", ""), ("HostConfig.Binds", ""), ("NetworkSettings.Ports.80/tcp", "HostPort"), ("Mounts", "Config.Cmd", "")],
          ["Mounts[*].Source", "Config.Env[*]", "Config.Cmd[*]", "NetworkSettings.Ports[\"80/tcp\"][*].HostPort"], ["HostConfig.Ulimits[*].Hard"], ["Mounts[*].RW"],
          ["Mounts[*]", "Args[*]", "NetworkSettings.Ports[\"80/tcp\"][*]"], ("Mounts", "Config.Env[*]"), "PATH=web", ats=("[0].Mounts", "[0].Args")),
    Shape("npm registry", packument, "versions", "key", "license",
          [("maintainers", "name"), ("keywords", ""), ("dist.signatures", "keyid"), ("maintainers", "keywords", "")],
          ["maintainers[*].name", "keywords[*]", "dist.signatures[*].sig"], [], [], ["maintainers[*]", "dist.signatures[*]"],
          ("maintainers", "keywords[*]"), "swift", ats=("maintainers", "keywords")),
    Shape("Stripe invoices", invoices, "data", "id", "currency",
          [("lines.data", "amount"), ("lines.data", "lines.data.tax_amounts", "amount"), ("discounts", ""), ("total_tax_amounts", "lines.data", "description")],
          ["lines.data[*].description", "discounts[*]", "lines.data[*].tax_amounts[*].taxability_reason"],
          ["lines.data[*].amount", "lines.data[*].tax_amounts[*].amount", "lines.data[*].price.unit_amount", "total_tax_amounts[*].amount"],
          ["lines.data[*].discountable", "lines.data[*].tax_amounts[*].inclusive"], ["lines.data[*]", "lines.data[*].tax_amounts"],
          ("lines.data", "lines.data.tax_amounts[*].amount"), "swift", ats=("data[0].lines.data", "data[0].discounts")),
    Shape("Slack conversations.history", messages, "messages", "ts", "user",
          [("reactions", "name"), ("reactions", "reactions.users", ""), ("files", "name"), ("blocks", "blocks.elements", "blocks.elements.elements", "text")],
          ["reactions[*].name", "reactions[*].users[*]", "files[*].timestamp", "blocks[*].elements[*].elements[*].text"], ["reactions[*].count", "files[*].size"],
          ["files[*].is_public", "blocks[*].elements[*].elements[*].style.bold"], ["reactions[*]", "reactions[*].users", "blocks[*].elements[*].elements"],
          ("reactions", "reactions.users[*]"), "tada", ats=("messages[0].reactions",)),
    Shape("Elasticsearch hits", hits, "hits.hits", "_id", "_index",
          [("_source.tags", ""), ("_source.comments", "author"), ("_source.comments", "_source.comments.tags", ""), ("sort", ""), ("highlight.message", "")],
          ["_source.tags[*]", "_source.comments[*].text", "_source.comments[*].tags[*]"], ["_source.comments[*].stars", "sort[*]"],
          ["_source.comments[*].flagged"], ["_source.comments[*]", "matched_queries[*]"], ("_source.comments", "_source.comments.tags[*]"), "swift",
          ats=("aggregations.by_tag.buckets", "hits.hits[0].sort")),
]


# ----------------------------------------------------------------------------------------------- JSON for both programs

MARK = "\ue000"


def spelled(value, rng, for_jq, blanks):
    """JSON with blanks and escapes by chance; with the same chance for both programs."""
    def string(text):
        if rng.random() < 0.5:
            return json.dumps(text, ensure_ascii=False)
        # As Go, PHP and Python write it.
        made = json.dumps(text, ensure_ascii=rng.random() < 0.5)
        for plain, escape in [("<", "\\u003c"), ("&", "\\u0026"), ("/", "\\/"), ("a", "\\u0061")]:
            if rng.random() < 0.2 and (plain != "a" or "\\" not in made):
                made = made.replace(plain, escape)
        return made

    def blank(inner):
        return inner if blanks == 2 else " " * rng.randint(0, 2) if blanks else ""

    def write(value, depth):
        line, end = ("\n" + "  " * (depth + 1), "\n" + "  " * depth) if blanks == 2 else ("", "")
        if isinstance(value, Digits):
            # What jq prints as it came needs no mark.
            isKept = re.fullmatch(r"-?[1-9][0-9]{0,14}", value) or re.fullmatch(r"[1-9][0-9]{0,5}\.[0-9]{0,5}[1-9]", value)
            return value if not for_jq or isKept else f'"{MARK}{value}"'
        if isinstance(value, str):
            return string(value)
        if isinstance(value, list):
            return "[" + ("," + blank("")).join(blank(line) + write(item, depth + 1) for item in value) + blank(end if value else "") + "]"
        if isinstance(value, dict):
            return "{" + ("," + blank("")).join(blank(line) + string(key) + ":" + blank(" ") + write(item, depth + 1)
                                                for key, item in value.items()) + blank(end if value else "") + "}"
        return json.dumps(value)
    return write(value, 0)


# ------------------------------------------------------------------------------------------------------- questions

# What tabler's manual promises, for jq. A number that is marked is left to Python, and so are sums that are not whole.
PRELUDE = r"""
def part(f): [f?][0];
def list(f): part(f) | if type == "array" then . else null end;
def there: if type == "array" then map(select(. != null)) else [] end;
def whole: type == "number" and . == floor and fabs < 1e15;
def left($name): {"LEFT": $name, of: .};
def near: if type == "string" then ltrimstr("MARK") | ltrimstr("+") | tonumber else . end;
def numeral: type == "number" or type == "object" and has("LEFT") or type == "string" and test("^MARK|^[-+]?[0-9]+([.][0-9]+)?$");
def ordered: if any(numeral) then map(select(numeral)) else map(select(type == "string")) end;
def sum: there | if . == [] then null elif all(whole) then add else left("sum") end;
def mean: there | if . == [] then null else left("mean") end;
def least: there | ordered | if all(type == "number" or (type == "string" and (startswith("MARK") | not))) | not then left("min") elif any(numeral) then min_by(near) else min end;
def most: there | ordered | if all(type == "number" or (type == "string" and (startswith("MARK") | not))) | not then left("max") elif any(numeral) then max_by(near) else max end;
def times: there | if . == [] then null else map(select(.)) | length end;
def first_there: there | .[0];
def last_there: there | .[-1];
def joined($mark): if type == "array" then there | map(if type == "string" then . else tojson end) | join($mark) else null end;
def explode($p; $drops): map(. as $row | [getpath($p)?][0] as $list | if $list | type != "array" then . elif $list == [] then
  (if $drops then empty else setpath($p; null) end) else $list[] as $item | $row | setpath($p; $item) end);
def groups(f): reduce .[] as $row ([]; ($row | part(f)) as $key | [.[] | .key] as $keys | ([range($keys | length) | select($keys[.] == $key)][0])
  as $place | if $place == null then . + [{key: $key, rows: [$row]}] else .[$place].rows += [$row] end);
""".replace("MARK", MARK)


def jq_path(path):
    """A path as jq writes it."""
    return "." + path if path else "."


def jq_key(name):
    return json.dumps(name)


def jq_list(path):
    """`x[*].y` in jq."""
    first, *rest = path.split("[*]")
    walk = "".join(f" | list({step or '.'}) | arrays | .[]" for step in rest[:-1])
    return f"(list({jq_path(first)}) | if . == null then null else [.[]{walk} | part({rest[-1] or '.'})] end)"


AGGREGATES = {"sum": "sum", "min": "least", "max": "most", "mean": "mean", "count": "(there | length)", "first": "first_there", "last": "last_there"}


@dataclasses.dataclass
class Question:
    """What is asked of tabler, and of jq about its rows; numbers are compared as spelled, or by value."""

    words: list
    jq: str
    form: str = "--jsonl"
    isSpelled: bool = False
    # The expressions of columns.
    expressions: dict = dataclasses.field(default_factory=dict)


def columns(pairs):
    """Names for pairs of expressions, those of tabler, and members of an object in jq."""
    names = {f"c{n}": expression for n, (expression, _) in enumerate(pairs)}
    return names, [f"{name} = {expression}" for name, expression in names.items()], [f"c{n}: ({value})" for n, (_, value) in enumerate(pairs)]


def derived(shape, pairs, form, before=(), jq_before=""):
    """Computed columns, each with what jq computes."""
    names, made, values = columns(pairs)
    return Question([*before, "--derive", "; ".join(made), "-c", ",".join([shape.id, *names])],
                    f"{jq_before}map({{{jq_key(shape.id)}: {jq_path(shape.id)}, {', '.join(values)}}})", form, False, names)


def exploded(paths, drops=False):
    """What follows `--explode` in jq."""
    return "".join(f"explode({json.dumps(path.split('.'))}; {json.dumps(drops)}) | " for path in paths)


def questions(shape, kind, rng):
    """What is asked of an answer of a shape."""
    forms = ["--jsonl", "--csv"]
    for *paths, last in shape.explodes:
        words = [word for path in paths for word in ("--explode", path)]
        memory = rng.choice([[], ["--memory", "1K"]])
        yield Question(words + memory, exploded(paths) + ".", "--jsonl", True)
        leaf = paths[-1] + ("." + last if last else "")
        value = f"part(getpath({json.dumps(leaf.split('.'))}))"
        more = [Question(words + ["--explode-empty", "drop"], exploded(paths, True) + ".", rng.choice(forms), True),
                Question(words, exploded(paths) + ".", "--csv", True)]
        if kind not in ODD_KINDS:
            # Of odd texts some are the same key, as the empty one and null.
            more.append(Question(words + ["--group-by", leaf], f"{exploded(paths)} groups({value}) | map({{{jq_key(leaf)}: .key, count: (.rows | length)}})"))
        yield from rng.sample(more, rng.randint(0, 1))
        yield Question(words + ["--explode-empty", "drop", "-c", f"{shape.id},{leaf}=leaf"],
                       f"{exploded(paths, True)} map({{{jq_key(shape.id)}: {jq_path(shape.id)}, leaf: {value}}})", "--csv", True)
    word, pairs = json.dumps(shape.word), []
    # A list in a list is joined as it is spelled, escapes included.
    joins = [path for path in shape.texts if kind != KINDS[3] or not path.endswith("[*]")]
    for path in shape.texts:
        items = jq_list(path)
        if path in joins:
            pairs.append((f"join({path}, ' | ')", f'{items} | joined(" | ")'))
        pairs += [(path, items), (f"any({path} = '{shape.word}')", f"{items} | there | any(. == {word})"),
                  (f"all({path} != '{shape.word}')", f"{items} | there | all(. != {word})"),
                  (f"sum({path} = '{shape.word}')", f"{items} | there | map(. == {word}) | times"),
                  (f"count({path} is null)", f"{items} | length")]
    for path in shape.truths:
        items = jq_list(path)
        pairs += [(path, items), (f"any({path})", f"{items} | there | any"), (f"all({path})", f"{items} | there | all"),
                  (f"sum({path})", f"{items} | times"), (f"mean({path})", f"{items} | there | map(if . then 1 else 0 end) | mean"),
                  (f"sum({path} = true)", f"{items} | times")]
    for path in shape.wholes:
        pairs += [(path, jq_list(path)), (f"len({path})", f"{jq_list(path)} | if . == null then . else length end")]
    for path in shape.numbers:
        pairs += [(path, jq_list(path))]
    for paths, names in [(shape.texts + shape.truths + shape.wholes + shape.numbers, ["count", "first", "last"]),
                         (shape.numbers + (shape.texts if kind not in ODD_KINDS else []), ["min", "max"]), (shape.numbers, ["sum", "mean"])]:
        pairs += [(f"{name}({path})", f"{jq_list(path)} | {AGGREGATES[name]}") for path in paths for name in names]
    rng.shuffle(pairs)
    for form in forms:
        yield derived(shape, pairs[forms.index(form)::2], form)
    outer, inner = shape.inner
    pairs = [(inner, jq_list(inner))] + [(f"{name}({inner})", f"{jq_list(inner)} | {AGGREGATES[name]}") for name in ("count", "first", "last")]
    yield derived(shape, pairs, rng.choice(forms), ["--explode", outer], exploded([outer]))
    # Rows that are left.
    path, test = rng.choice(shape.texts), rng.choice(["", "not"])
    yield Question(["--filter", f"{test} any({path} = '{shape.word}')"],
                   f"map(select({jq_list(path)} | there | any(. == {word}) | {test or '.'}))", rng.choice(forms), True)
    path, least = shape.wholes[0], rng.randint(0, 3)
    yield Question(["--filter", f"count({path}) >= {least}"], f"map(select({jq_list(path)} | there | length >= {least}))", rng.choice(forms), True)
    for path in shape.numbers[:1]:
        yield Question(["--filter", f"sum({path}) > 500.5"], f"map(select({jq_list(path)} | there | map(near) | add > 500.5))", "--jsonl", True)
    # One row for all rows, and for those of a group.
    pairs = [("sum", "count", path) for path in shape.texts + shape.wholes] + [("max", "count", shape.wholes[0])]
    for path in shape.numbers:
        pairs += [("sum", "sum", path), ("max", "max", path), ("min", "min", path), ("mean", "sum", path), ("max", "sum", path), ("count", "first", path)]
    pairs = [(f"{outer}({inner}({path}))", f"map({jq_list(path)} | {AGGREGATES[inner]}) | {AGGREGATES[outer]}") for outer, inner, path in pairs]
    pairs += [(f"any(any({path} = '{shape.word}'))", f"map({jq_list(path)} | there | any(. == {word})) | any") for path in shape.texts]
    pairs += [(f"all(any({path}))", f"map({jq_list(path)} | there | any) | all") for path in shape.truths]
    pairs += [(f"join_agg(join({path}, '+'), ' | ')", f'map({jq_list(path)} | joined("+")) | there | if . == [] then null else join(" | ") end')
              for path in joins]
    rng.shuffle(pairs)
    names, made, values = columns(pairs[::2])
    yield Question(["--aggregate", ", ".join(made)], f"[{{{', '.join(values)}}}]", rng.choice(forms), False, names)
    names, made, values = columns(pairs[1::2])
    yield Question(["--group-by", shape.group, "--aggregate", ", ".join(made)],
                   f"groups({jq_path(shape.group)}) | map({{{jq_key(shape.group)}: .key}} + (.rows | {{{', '.join(values)}}}))", rng.choice(forms), False, names)


# ------------------------------------------------------------------------------------------------------ comparisons

getcontext().prec = 200


def mean(items):
    """The mean as a decimal, if it is one of at most 38 digits, else as the quotient of doubles."""
    total = sum(items)
    exact = Fraction(total) / len(items)
    with localcontext() as context:
        context.prec = 38
        decimal = total / len(items)
    return decimal if Fraction(decimal) == exact else float(total) / len(items)


def read(value):
    """What jq gave: marks become numbers, and what was left to Python is computed."""
    if isinstance(value, str):
        if value.startswith(MARK) and value.count(MARK) == 1:
            return Decimal(value[1:])
        return value.replace(f'"{MARK}', "").replace(MARK, "")
    if isinstance(value, list):
        return [read(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "LEFT" not in value:
        return {key: read(item) for key, item in value.items()}
    items = [read(item) for item in value["of"]]
    items = [item for item in items if isinstance(item, Decimal)]
    function = {"sum": sum, "min": min, "max": max, "mean": mean}[value["LEFT"]]
    return function(items) if items else None


def is_same(found, wanted, isSpelled):
    """Whether two values of JSON are the same; numbers as spelled, or by value."""
    if isinstance(wanted, float):
        return isinstance(found, Decimal) and float(found) == wanted
    if isSpelled and isinstance(found, Decimal):
        return str(found) == str(wanted)
    if type(found) != type(wanted):
        return False
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(is_same(one, two, isSpelled) for one, two in zip(found, wanted))
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(is_same(found[key], value, isSpelled) for key, value in wanted.items())
    return found == wanted


def parsed(text):
    return json.loads(text, parse_int=Decimal, parse_float=Decimal)


def is_same_cell(text, wanted, isSpelled):
    """Whether a cell of csv is a value."""
    if wanted is None or isinstance(wanted, str):
        return text == (wanted or "")
    try:
        return is_same(parsed(text), wanted, isSpelled)
    except ValueError:
        return False


def difference(output, wanted, question):
    """What differs in an output, of each column the first value, or None."""
    is_same_value = is_same if question.form == "--jsonl" else is_same_cell
    if question.form == "--jsonl":
        found = [parsed(line) for line in output.split("\n") if line]
    else:
        header, *rows = harness.csv_rows(output) or [[]]
        names = {name for row in wanted for name in row}
        if len(header) != len(set(header)) or not names <= set(header):
            return f"columns {header}, not {names}"
        found = [dict(zip(header, row)) for row in rows]
        # A cell that is not there is empty.
        wanted = [dict.fromkeys(header) | row for row in wanted]
    differing = {}
    for place, (one, two) in enumerate(zip(found, wanted)):
        for name in one.keys() | two.keys():
            if name not in one or name not in two or not is_same_value(one[name], two[name], question.isSpelled):
                differing.setdefault(name, f"row {place}: {one.get(name, 'nothing')!r}, not {two.get(name, 'nothing')!r}")
    said = [f"{len(found)} rows, not {len(wanted)}"] if len(found) != len(wanted) else []
    said += [f"{question.expressions.get(name, name)}, {what}" for name, what in sorted(differing.items())]
    return "; ".join(said) or None


def at_values(document, at):
    """The list at a path, if its elements can be rows, and whether they are objects."""
    value = document
    for step in re.findall(r"[^.\[\]]+", at):
        value = value[int(step)] if isinstance(value, list) and step.isdigit() and int(step) < len(value) else value.get(step) if isinstance(value, dict) else None
    if not isinstance(value, list) or not value:
        return None, False
    areObjects = all(isinstance(item, dict) for item in value)
    arePlain = all(not isinstance(item, (dict, list)) for item in value)
    return (value, areObjects) if areObjects or arePlain else (None, False)


def compare(shape, kind, options, place):
    """The number of questions that were asked of one answer, and what differs."""
    seed = f"{options.seed} {shape.name} {kind} {place}"
    rng = random.Random(seed)
    document = filled(shape.make(Maker(rng, kind)))
    blanks, escapes = rng.randrange(3), rng.random()
    text, for_jq = (spelled(document, random.Random(escapes), for_jq, blanks) for for_jq in (False, True))
    rows = f"({jq_path(shape.at)} // [])"
    if shape.name == "npm registry":
        rows = f"({jq_path(shape.at)} | to_entries | map({{key}} + .value))"
    asked = [(["--at", shape.at] if shape.at else [], rows, question) for question in questions(shape, kind, rng)]
    for at in shape.ats:
        values, areObjects = at_values(document, at)
        if values is not None:
            names = "" if areObjects else " | map({value: .})"
            asked.append((["--at", at], jq_path(at) + names, Question([], ".", rng.choice(["--jsonl", "--csv"]), True)))
    programs = list(dict.fromkeys(f"{rows} | {question.jq}" for _, rows, question in asked))
    program = PRELUDE + "[" + ",\n".join(f"({program})" for program in programs) + "]"
    answer = harness.run(["jq", "-c", program], for_jq)
    if answer.status:
        return len(asked), [f"seed {seed}: jq: {answer.errors}"]
    answers, found = dict(zip(programs, parsed(answer.output))), []
    for words, rows, question in asked:
        words = [options.tabler, "--from", "json", *words, *question.words, question.form, "--quiet"]
        ended = harness.run(words, text)
        what = f"status {ended.status}: {ended.errors}" if ended.status else difference(ended.output, read(answers[f"{rows} | {question.jq}"]), question)
        if what is not None:
            # Of many columns those that differ say what was asked.
            asked_for = words[1:-1] if not question.expressions or ended.status else question.form
            found.append(f"seed {seed}: {asked_for}: {what}")
    return len(asked), found


def main():
    options = harness.arguments(__doc__, ("--rounds", 1, "how many times ten shapes of four kinds"))
    answers = [(shape, kind, options, place) for place in range(options.rounds) for shape in SHAPES for kind in KINDS]
    count, differences = 0, 0
    with ThreadPoolExecutor(2) as pool:
        for asked, found in pool.map(lambda answer: compare(*answer), answers):
            count += asked
            differences += len(found)
            for line in found:
                print(line)
    print(f"seed {options.seed}: {count} comparisons of {len(answers)} answers, {differences} differences")
    sys.exit(1 if differences or not count else 0)


if __name__ == "__main__":
    main()
