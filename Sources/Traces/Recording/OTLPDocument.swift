package import JSON
internal import LanguageModels

/// Spans as OTLP/JSON, for other programs and for the archive of a workspace: one document per line.
package struct OTLPDocument {
    /// Position of a span in the bytes.
    package struct Place {
        var span: Range<Int>
        var events: [Range<Int>]
    }

    package private(set) var bytes: [UInt8] = []
    /// Places of the spans of all documents, in order.
    private(set) var places: [Place] = []

    /// Name of the service that recorded the spans.
    static let service = "orrery"

    /// Creates one document with all spans.
    package init(_ spans: [SpanRecord]) { self.init([spans]) }

    /// Creates one document for each list of spans.
    init(_ documents: [[SpanRecord]]) {
        for spans in documents {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
            let start = bytes.count
            var json = JSONWriter()
            places += Self.write(spans, to: &json, from: start)
            bytes += json.bytes
        }
    }

    /// Writes one document.
    ///
    /// - Returns: Places of the spans, plus `start`.
    @discardableResult
    package static func write(_ spans: [SpanRecord], to json: inout JSONWriter, from start: Int = 0) -> [Place] {
        var places: [Place] = []
        json.object { json in
            list("resourceSpans", in: &json) { json in
                json.object { json in
                    json.member("resource") { json in
                        json.object { write([.init("service.name", .text(service))], to: &$0) }
                    }
                    list("scopeSpans", in: &json) { json in
                        json.object { json in
                            list("spans", in: &json) { json in
                                for span in spans { places.append(write(span, to: &json, from: start)) }
                            }
                        }
                    }
                }
            }
        }
        return places
    }

    private static func list(_ name: String, in json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        json.member(name) { json in json.array { body(&$0) } }
    }

    /// Writes a span and returns its place.
    private static func write(_ span: SpanRecord, to json: inout JSONWriter, from start: Int) -> Place {
        var events: [Range<Int>] = []
        let range = place(of: &json, from: start) { json in
            json.member("traceId", span.trace)
            json.member("spanId", span.span)
            json.member("parentSpanId", ifPresent: span.parent)
            json.member("name", span.name)
            // OTLP's kinds: 1 for internal work, 3 for a client's call.
            json.member("kind", span.kind == .model ? 3 : 1)
            json.member("startTimeUnixNano", String(span.start))
            json.member("endTimeUnixNano", ifPresent: span.end.map { String($0) })
            write(span.attributes, to: &json)
            if !span.events.isEmpty {
                list("events", in: &json) { json in
                    for event in span.events {
                        let range = place(of: &json, from: start) { json in
                            json.member("name", event.name)
                            json.member("timeUnixNano", String(event.time))
                            write(event.attributes, to: &json)
                        }
                        events.append(range)
                    }
                }
            }
            json.member("status") { json in
                json.object { json in
                    switch span.status {
                    case .unset: break
                    case .ok: json.member("code", 1)
                    case .error(let message):
                        json.member("code", 2)
                        json.member("message", message)
                    }
                }
            }
        }
        return Place(span: range, events: events)
    }

    /// Writes an object and returns its place, without the comma in front of it.
    private static func place(
        of json: inout JSONWriter, from start: Int, _ members: (inout JSONWriter) -> Void
    ) -> Range<Int> {
        let isFirst = json.bytes.last == UInt8(ascii: "[")
        let first = json.bytes.count + (isFirst ? 0 : 1)
        json.object { members(&$0) }
        return (start + first)..<(start + json.bytes.count)
    }

    private static func write(_ attributes: [SpanRecord.Attribute], to json: inout JSONWriter) {
        list("attributes", in: &json) { write(pairs: attributes, to: &$0) }
    }

    private static func write(pairs: [SpanRecord.Attribute], to json: inout JSONWriter) {
        for pair in pairs {
            json.object { json in
                json.member("key", pair.name)
                json.member("value") { write(pair.value, to: &$0) }
            }
        }
    }

    private static func write(_ value: SpanRecord.Value, to json: inout JSONWriter) {
        json.object { json in
            switch value {
            case .text(let text): json.member("stringValue", text)
            case .integer(let integer): json.member("intValue", String(integer))
            case .number(let number): json.member("doubleValue", number)
            case .flag(let flag): json.member("boolValue", flag)
            case .list(let elements):
                json.member("arrayValue") { json in
                    json.object { json in
                        list("values", in: &json) { json in for element in elements { write(element, to: &json) } }
                    }
                }
            case .object(let members):
                json.member("kvlistValue") { json in
                    json.object { json in list("values", in: &json) { write(pairs: members, to: &$0) } }
                }
            case .null: break
            }
        }
    }
}

// MARK: - Reading

extension SpanRecord {
    /// Creates a copy of a span of OTLP/JSON; `nil` if the span has no IDs.
    init?(otlp node: JSONNode) {
        guard let trace = node["traceId"]?.nonEmptyString, let span = node["spanId"]?.nonEmptyString else { return nil }
        let code = node["status"]?["code"]
        let isError = code?.lenientInt == 2 || code?.equals("STATUS_CODE_ERROR") == true
        let isOK = code?.lenientInt == 1 || code?.equals("STATUS_CODE_OK") == true
        self.init(
            trace: trace.lowercased(), span: span.lowercased(),
            parent: node["parentSpanId"]?.nonEmptyString?.lowercased(), name: node["name"]?.string ?? "",
            start: node["startTimeUnixNano"]?.lenientInt ?? 0, end: node["endTimeUnixNano"]?.lenientInt,
            status: isError ? .error(node["status"]?["message"]?.string ?? "") : isOK ? .ok : .unset,
            attributes: Self.attributes(node["attributes"]),
            events: (node["events"]?.elements.map { $0 } ?? []).map { event in
                Event(
                    event["name"]?.string ?? "", time: event["timeUnixNano"]?.lenientInt ?? 0,
                    attributes: Self.attributes(event["attributes"]))
            })
    }

    /// Returns the spans of a document of OTLP/JSON, without spans that lack IDs; empty for other input.
    package static func spans(otlp document: [UInt8]) -> [SpanRecord] {
        // Problems with one document cost only its spans: the caller's record can be read without them.
        guard let parsed = try? JSONDocument(parsing: document) else { return [] }
        return parsed.withRoot { root in
            (root["resourceSpans"]?.elements.map { $0 } ?? []).flatMap { $0["scopeSpans"]?.elements.map { $0 } ?? [] }
                .flatMap { $0["spans"]?.elements.map { $0 } ?? [] }.compactMap { SpanRecord(otlp: $0) }
        }
    }

    private static func attributes(_ list: JSONNode?) -> [Attribute] {
        guard let list, case .object(let attributes) = Value(.pairs(list)) else { return [] }
        return attributes
    }
}
