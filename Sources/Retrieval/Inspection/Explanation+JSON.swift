public import JSON

extension Explanation: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("query", query)
            json.member("passage", passage)
            json.member("dropped_by", ifPresent: droppedBy)
            json.member("stages", stages)
            json.member("remedies", remedies)
        }
    }
}

extension StageExplanation: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("stage", stage)
            json.member("kind", kind.rawValue)
            json.member("cause", cause.rawValue)
            json.member("rank", ifPresent: rank)
            json.member("score", ifPresent: score)
            json.member("score_needed", ifPresent: scoreNeeded)
            json.member("hypothetical", isHypothetical)
            json.member("findings", findings)
            json.objects("terms", of: terms) { term, json in
                json.member("word", term.word)
                json.member("term", ifPresent: term.term)
                json.member("lost", ifPresent: term.lost)
                json.member("frequency", term.frequency)
                json.member("contribution", term.contribution)
            }
            json.objects("parts", of: parts) { part, json in
                json.member("stage", part.stage)
                json.member("rank", part.rank)
                json.member("value", part.value)
            }
        }
    }
}

extension StageExplanation.Cause {
    /// Short description of the cause.
    public var sentence: String {
        switch self {
        case .kept: "kept"
        case .filter: "excluded by the filter"
        case .analysis: "no term matches"
        case .missedBySearch: "missed by the search"
        case .k, .fusion: "ranked below the cutoff"
        case .reranker: "demoted by the reranker"
        case .budget: "over the budget"
        case .duplicate: "same text as another chunk"
        case .neverArrived: "did not reach this stage"
        }
    }
}

extension Remedy: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("key", key)
            json.member("before", ifPresent: before)
            json.member("after", after)
            json.member("sentence", sentence)
            if !further.isEmpty {
                json.member("further") { json in
                    json.object { json in for change in further { json.member(change.key, change.after) } }
                }
            }
        }
    }
}
