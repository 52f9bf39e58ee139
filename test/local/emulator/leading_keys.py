"""`dynamodb:LeadingKeys`, the condition key that narrows a right to items, which the emulator does not know.

An unknown key counts as absent there, and `ForAllValues` holds for an absent key: every right that was narrowed by it
reached the whole table. With this, a request brings the partition keys that it names, as on AWS:

- single items by `Key` or `Item`, batches by table, queries by the value that the key condition compares with, of the
  index if there is one;
- each item of a transaction by itself, under the action that it performs;
- none for what names no item (Scan, DescribeTable), which `ForAllValues` still lets through.

PartiQL is left out: its actions carry no key here, and no policy of ours grants them.
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
"""

import json

from ministack.core import iam_actions, iam_evaluator
from ministack.services import dynamodb

CONDITION_KEY = "dynamodb:LeadingKeys"


class KeyedArn(str):
    """The ARN of a table or an index, with the partition keys that a request names in it.

    The emulator hands ARNs from where it reads a request to where it decides; the keys ride along, so that those of
    one table of a batch, or of one item of a transaction, are never taken for those of another.
    """

    leading_keys = ()


def keyed(arn, keys):
    carrier = KeyedArn(arn)
    carrier.leading_keys = tuple(keys)
    return carrier


def supply_leading_keys():
    """Replaces three functions that the emulator looks up at each request."""
    read_arns = iam_actions.dynamodb_resource_arns
    read_checks = iam_actions.dynamodb_transaction_checks
    enforce = iam_evaluator.enforce

    def read_keyed_arns(body, region, account_id):
        data = parse_object(body)
        arns = read_arns(body, region, account_id)
        tables = data.get("RequestItems")
        if isinstance(data.get("TableName"), str) and data["TableName"]:
            return [keyed(arn, read_request_keys(data)) for arn in arns]
        if not isinstance(tables, dict):
            return arns
        named = [name for name in tables if isinstance(name, str) and name]
        return [keyed(arn, read_batch_keys(name, tables[name])) for name, arn in zip(named, arns, strict=True)]

    def read_keyed_checks(iam_action, body, region, account_id):
        items = parse_object(body).get("TransactItems")
        checks = []
        for item in items if isinstance(items, list) else []:
            # A member at a time, so that it is plain whose key belongs to which check.
            for member, detail in item.items() if isinstance(item, dict) else ():
                single = json.dumps({"TransactItems": [{member: detail}]}).encode()
                for action, arn in read_checks(iam_action, single, region, account_id):
                    checks.append((action, keyed(arn, read_request_keys(detail))))
        return checks

    def enforce_with_keys(
        access_key_id, iam_action, service, region, resource_arn="*", service_context=None
    ):
        keys = getattr(resource_arn, "leading_keys", ())
        # An empty list would count as present for `Null`.
        context = {**(service_context or {}), CONDITION_KEY: list(keys)} if keys else service_context
        return enforce(access_key_id, iam_action, service, region, resource_arn, context)

    iam_actions.dynamodb_resource_arns = read_keyed_arns
    iam_actions.dynamodb_transaction_checks = read_keyed_checks
    iam_evaluator.enforce = enforce_with_keys


def parse_object(body):
    try:
        data = json.loads(body or b"{}")
    except (json.JSONDecodeError, TypeError, UnicodeDecodeError):
        return {}
    return data if isinstance(data, dict) else {}


def read_request_keys(data):
    """Of a request or a member of a transaction that names one table."""
    table = find_table(data["TableName"])
    if table is None:
        return []
    items = [data[name] for name in ("Key", "Item") if name in data]
    keys = [read_key(table, item) for item in items]
    if data.get("KeyConditionExpression") or data.get("KeyConditions"):
        keys += read_query_keys(table, data)
    return keys


def read_batch_keys(table_name, requests):
    """Of one table of BatchGetItem (an object with `Keys`) or BatchWriteItem (a list)."""
    table = find_table(table_name)
    if table is None:
        return []
    if isinstance(requests, dict):
        items = requests.get("Keys")
        return [read_key(table, item) for item in items] if isinstance(items, list) else []
    keys = []
    for request in requests if isinstance(requests, list) else []:
        for member in request.values() if isinstance(request, dict) else ():
            if isinstance(member, dict):
                keys += [read_key(table, member[name]) for name in ("Key", "Item") if name in member]
    return keys


def read_query_keys(table, data):
    """Read by the emulator's own reading of a key condition, so that no query is decided by one key and served by another."""
    index = dynamodb._index_def(table, data.get("IndexName"))
    names = dynamodb._index_key_lists(index)[0] if index else [table["pk_name"]]
    values, placeholders = (
        data.get(name) or {} for name in ("ExpressionAttributeValues", "ExpressionAttributeNames")
    )
    keys = []
    for name in names:
        if data.get("KeyConditions"):
            key = dynamodb._extract_pk_from_key_conditions(data["KeyConditions"], name)
        else:
            key = dynamodb._extract_pk_from_condition(
                data["KeyConditionExpression"], values, placeholders, name
            )
        keys.append("" if key is None else str(key))
    return keys


def find_table(name):
    return dynamodb._tables.get(dynamodb._normalize_table_name(name))


def read_key(table, item):
    """A key that cannot be read is the empty text: no pattern that names a family matches it, so it opens nothing."""
    attribute = item.get(table["pk_name"]) if isinstance(item, dict) else None
    return str(dynamodb._extract_key_val(attribute)) if isinstance(attribute, dict) else ""
