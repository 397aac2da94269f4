internal import JSON
internal import LanguageModels
public import System
internal import Traces
public import Workspace

extension RetrievalTrace {
    /// The trace as OTLP/JSON documents: one with the spans of the retrieval, and one for each call of a model.
    public var documents: [[UInt8]] {
        [document]
            + calls.enumerated().map { index, made in
                made.call.document(
                    inTrace: id, span: Self.digits(UInt64(spans.count + 1 + index)), parent: spans[0].id)
            }
    }

    private var document: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("resourceSpans") { json in
                json.array { json in
                    json.object { json in
                        json.member("resource") { json in
                            json.object { json in
                                json.member("attributes") { json in
                                    Self.write([.init("service.name", .text("orrery"))], to: &json)
                                }
                            }
                        }
                        json.member("scopeSpans") { json in
                            json.array { json in
                                json.object { json in
                                    json.member("spans") { json in
                                        json.array { json in for span in spans { write(span, to: &json) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private func write(_ span: RetrievalSpan, to json: inout JSONWriter) {
        json.object { json in
            json.member("traceId", id)
            json.member("spanId", span.id)
            json.member("parentSpanId", ifPresent: span.parent)
            json.member("name", span.name)
            json.member("kind", 1)
            json.member("startTimeUnixNano", String(span.start))
            json.member("endTimeUnixNano", String(span.end))
            json.member("attributes") { json in
                let kind = RetrievalSpan.Attribute("openinference.span.kind", .text(span.kind.rawValue))
                Self.write([kind] + span.attributes, to: &json)
            }
            json.member("status") { json in json.object { json in json.member("code", 1) } }
        }
    }

    private static func write(_ attributes: [RetrievalSpan.Attribute], to json: inout JSONWriter) {
        json.array { json in
            for attribute in attributes {
                json.object { json in
                    json.member("key", attribute.name)
                    json.member("value") { json in
                        json.object { json in
                            switch attribute.value {
                            case .text(let text): json.member("stringValue", text)
                            case .integer(let integer): json.member("intValue", String(integer))
                            case .number(let number): json.member("doubleValue", number)
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Keeps runs of pipelines as traces of a workspace.
public struct RetrievalTraceRecorder: Sendable {
    private let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// Brings a run into the workspace, spans and calls of models; after this they are on the disk.
    ///
    /// - Returns: The trace's id, by which it is found in the workspace.
    /// - Throws: `Problem` where it could not be kept.
    @discardableResult
    public func record(_ traced: TracedRecord) throws(Problem) -> String {
        let trace = RetrievalTrace(traced)
        var corpus: String?
        if case .pipeline(_, _, let name) = traced.record.origin { corpus = name }
        let keeper = SpanKeeper(workspace, origin: .retrieval, project: corpus)
        for document in trace.documents {
            keeper.keep(document)
            if let problem = keeper.problem {
                throw Problem(.failed, "the trace of \(traced.record.query.prefix(40))", problem)
            }
        }
        return trace.id
    }
}
