"""Spans and their JSON envelope as the OpenTelemetry collector writes them."""

import json

from .ids import nanoseconds

INTERNAL, CLIENT = 1, 3
OK, FAILED = 1, 2


def any_value(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, (list, tuple)):
        return {"arrayValue": {"values": [any_value(v) for v in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": key_values(value)}}
    return {"stringValue": value}


def key_values(attributes):
    return [{"key": key, "value": any_value(value)} for key, value in attributes.items() if value is not None]


class Trace:
    """The spans of one trace, in the order in which they ended (as an exporter sends them)."""

    def __init__(self, chance, trace_id, service, scope, scope_version):
        self.chance, self.trace_id = chance, trace_id
        self.resource = {
            "service.name": service,
            "service.version": "2026.10.2",
            "telemetry.sdk.language": "python",
            "telemetry.sdk.name": "opentelemetry",
            "telemetry.sdk.version": "1.37.0",
            "deployment.environment.name": "staging",
        }
        self.scope = {"name": scope, "version": scope_version}
        self.ended = []

    def identity(self):
        return self.chance.hexadecimal(16)

    def span(self, identity, parent, name, start, end, attributes, kind=INTERNAL, status=None, events=(), links=()):
        span = {"traceId": self.trace_id, "spanId": identity}
        if parent:
            span["parentSpanId"] = parent
        span.update(
            {
                "flags": 257,
                "name": name,
                "kind": kind,
                "startTimeUnixNano": nanoseconds(start),
                "endTimeUnixNano": nanoseconds(end),
                "attributes": key_values(attributes),
            }
        )
        if events:
            span["events"] = [
                {"timeUnixNano": nanoseconds(when), "name": what, "attributes": key_values(more)}
                for when, what, more in events
            ]
        if links:
            span["links"] = [
                {"traceId": trace, "spanId": other, "attributes": key_values(more)} for trace, other, more in links
            ]
        span["status"] = (
            {} if status is None else {"code": status[0], "message": status[1]} if status[1] else {"code": status[0]}
        )
        self.ended.append((end, len(self.ended), span))

    def envelope(self, spans):
        return {
            "resourceSpans": [
                {
                    "resource": {"attributes": key_values(self.resource)},
                    "scopeSpans": [{"scope": self.scope, "spans": spans}],
                    "schemaUrl": "https://opentelemetry.io/schemas/1.37.0",
                }
            ]
        }

    def spans(self):
        return [span for _, _, span in sorted(self.ended, key=lambda item: item[:2])]

    def object(self):
        """One envelope, indented, as a person saves it."""
        return json.dumps(self.envelope(self.spans()), ensure_ascii=False, indent=1) + "\n"

    def lines(self, batch):
        """One envelope a line, as the collector's file exporter writes batches."""
        spans = self.spans()
        parts = [spans[i : i + batch] for i in range(0, len(spans), batch)]
        return "".join(
            json.dumps(self.envelope(part), ensure_ascii=False, separators=(",", ":")) + "\n" for part in parts
        )


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
