public import JSON

extension RetrievalRecord: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("query", query)
            if !rewrites.isEmpty {
                json.objects("rewrites", of: rewrites) { rewrite, json in
                    json.member("kind", rewrite.kind)
                    json.member("text", rewrite.text)
                }
            }
            json.member("origin") { json in
                json.object { json in
                    switch origin {
                    case .pipeline(let name, let version, let corpus):
                        json.member("pipeline", name)
                        json.member("version", version)
                        json.member("corpus", corpus)
                    case .trace(let id, let span):
                        json.member("trace", id)
                        json.member("span", span)
                    }
                }
            }
            json.member("seconds", ifPresent: seconds)
            json.member("passages", passages)
            json.member("stages", stages)
            json.member("context", ifPresent: context)
            json.member("answer", ifPresent: answer)
            json.member("notes", notes)
        }
    }
}

extension Passage: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("chunk", ifPresent: chunk)
            json.member("document", document)
            json.member("label", label)
            json.member("start", ifPresent: range?.lowerBound)
            json.member("end", ifPresent: range?.upperBound)
            json.member("matched_by", ifPresent: match?.rawValue)
            json.member("text", ifPresent: text)
        }
    }
}

/// Passages are named by their place in the record.
extension Stage: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("kind", kind.rawValue)
            json.member("kept", ifPresent: kept)
            json.member("inputs", inputs)
            json.member("parameters") { json in
                json.object { json in for parameter in parameters { json.member(parameter.name, parameter.value) } }
            }
            json.member("seconds", ifPresent: seconds)
            json.member("note", ifPresent: note)
            if isPending { json.member("pending", true) }
            json.objects("entries", of: entries) { entry, json in
                json.member("passage", entry.passage.index)
                json.member("rank", entry.rank)
                json.member("score", ifPresent: entry.score)
                json.member("verdict", entry.verdict.word)
            }
        }
    }
}

extension Verdict {
    /// A word for files: `kept`, `cut`, `budget`, `duplicate`, `filter`, `threshold`.
    public var word: String {
        switch self {
        case .kept: "kept"
        case .cut: "cut"
        case .dropped(.budget): "budget"
        case .dropped(.duplicate): "duplicate"
        case .dropped(.filter): "filter"
        case .dropped(.threshold): "threshold"
        }
    }
}

extension ContextRecord: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("used", used)
            json.member("budget", ifPresent: budget)
            json.member("unit", unit)
            json.objects("passages", of: passages) { piece, json in
                json.member("passage", piece.passage.index)
                json.member("mark", piece.mark)
                json.member("size", piece.size)
            }
        }
    }
}

extension AnswerRecord: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("text", text)
            json.member("model", ifPresent: model)
            json.objects("citations", of: citations) { citation, json in
                json.member("start", citation.range.lowerBound)
                json.member("end", citation.range.upperBound)
                json.member("passage", citation.passage.index)
                json.member("explicit", citation.isExplicit)
            }
        }
    }
}
