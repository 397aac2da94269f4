internal import JSON

/// One span as an OTLP/JSON document: what the importer reads is what any other program could have sent.
package struct OTLPSpanDocument {
    /// How a span ended.
    package enum Status {
        case unset
        case ok
        case error(String)
    }

    /// 16 bytes as hexadecimal digits.
    var trace: String
    /// 8 bytes as hexadecimal digits.
    var span: String
    var parent: String?
    var name: String
    /// Of OpenTelemetry: 1 internal, 3 client.
    var kind: Int
    /// Nanoseconds since 1970.
    var start: Int64
    /// `nil` while it is running.
    var end: Int64?
    var status: Status

    package init(
        trace: String, span: String, parent: String?, name: String, kind: Int, start: Int64, end: Int64?, status: Status
    ) {
        self.trace = trace
        self.span = span
        self.parent = parent
        self.name = name
        self.kind = kind
        self.start = start
        self.end = end
        self.status = status
    }

    /// The document with the attributes that `write` adds.
    package func bytes(_ write: (inout OTLPAttributeWriter) -> Void) -> [UInt8] {
        var attributes = OTLPAttributeWriter()
        write(&attributes)
        var service = OTLPAttributeWriter()
        service.add("service.name", "orrery")
        var json = JSONWriter()
        json.object { json in
            json.member("resourceSpans") { json in
                json.array { json in
                    json.object { json in
                        json.member("resource") { json in
                            json.object { json in json.member("attributes") { service.write(to: &$0) } }
                        }
                        json.member("scopeSpans") { json in
                            json.array { json in
                                json.object { json in
                                    json.member("spans") { json in json.array { self.write(attributes, to: &$0) } }
                                }
                            }
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private func write(_ attributes: OTLPAttributeWriter, to json: inout JSONWriter) {
        json.object { json in
            json.member("traceId", trace)
            json.member("spanId", span)
            json.member("parentSpanId", ifPresent: parent)
            json.member("name", name)
            json.member("kind", kind)
            json.member("startTimeUnixNano", String(start))
            json.member("endTimeUnixNano", ifPresent: end.map { String($0) })
            json.member("attributes") { attributes.write(to: &$0) }
            json.member("status") { json in
                json.object { json in
                    switch status {
                    case .unset: break
                    case .ok: json.member("code", 1)
                    case .error(let sentence):
                        json.member("code", 2)
                        json.member("message", sentence)
                    }
                }
            }
        }
    }
}

/// Attributes in OTLP's form, in the order in which they are added; `nil` adds nothing.
package struct OTLPAttributeWriter {
    private var values: [(key: String, write: (inout JSONWriter) -> Void)] = []

    package mutating func add(_ key: String, _ value: String?) {
        if let value { values.append((key, { $0.member("stringValue", value) })) }
    }

    package mutating func add(_ key: String, _ value: Int?) {
        if let value { values.append((key, { $0.member("intValue", String(value)) })) }
    }

    package mutating func add(_ key: String, _ value: Double?) {
        if let value { values.append((key, { $0.member("doubleValue", value) })) }
    }

    /// Adds a list of texts that is not empty.
    package mutating func add(_ key: String, _ list: [String]) {
        guard !list.isEmpty else { return }
        values.append(
            (
                key,
                { json in
                    json.member("arrayValue") { json in
                        json.object { json in
                            json.member("values") { json in
                                json.array { json in
                                    for text in list { json.object { $0.member("stringValue", text) } }
                                }
                            }
                        }
                    }
                }
            ))
    }

    func write(to json: inout JSONWriter) {
        json.array { json in
            for (key, write) in values {
                json.object { json in
                    json.member("key", key)
                    json.member("value") { json in json.object { write(&$0) } }
                }
            }
        }
    }
}
