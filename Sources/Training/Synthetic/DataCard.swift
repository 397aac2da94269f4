internal import Formatting
public import JSON

/// Contents and origin of a corpus, written next to it as Markdown and JSON.
public struct DataCard: Sendable, JSONRepresentable {
    /// What one source gave.
    public struct Part: Hashable, Sendable {
        public var name: String
        public var documents = 0
        public var tokens = 0
        var templates: Set<UInt64> = []
    }

    public let name: String
    public let version: Int
    public let seed: UInt64
    public let context: Int
    public let heldOut: UInt64
    /// Pieces of the tokenizer.
    public internal(set) var vocabulary = 0
    /// Tokens of the training set, padding included.
    public internal(set) var tokens = 0
    public internal(set) var padding = 0
    public internal(set) var generated = 0
    public internal(set) var validationTokens = 0
    public internal(set) var validationDocuments = 0
    public internal(set) var parts: [Part]
    /// Documents that were passed over, by the reason.
    public internal(set) var removed: [QualityFilters.Verdict: Int] = [:]
    private let weights: LossWeights
    private let phases: [SyntheticRecipe.Phase]

    init(_ recipe: SyntheticRecipe) {
        name = recipe.name
        version = recipe.version
        seed = recipe.seed
        context = recipe.context
        heldOut = recipe.region.oneIn
        parts = recipe.sources.map { Part(name: $0.name) }
        weights = recipe.weights
        phases = recipe.phases
    }

    public var documents: Int { parts.reduce(0) { $0 + $1.documents } }

    mutating func count(_ verdict: QualityFilters.Verdict) { removed[verdict, default: 0] += 1 }

    mutating func add(_ document: SyntheticDocument, source: Int, tokens: Int) {
        parts[source].documents += 1
        parts[source].tokens += tokens
        parts[source].templates.insert(document.template)
    }

    private func share(_ tokens: Int) -> String {
        let all = parts.reduce(0) { $0 + $1.tokens }
        return Format.percent(Double(tokens) / Double(max(1, all)), digits: 1)
    }

    public var markdown: String {
        var text = "# \(name), version \(version): data card\n\n"
        text +=
            "Synthetic text, made by `orrery train data` from a grammar with seed \(seed); no text is from other sources.\n\n"
        text += "| source | documents | tokens | share | templates |\n|---|---:|---:|---:|---:|\n"
        for part in parts {
            text +=
                "| \(part.name) | \(part.documents) | \(part.tokens) | \(share(part.tokens)) | \(part.templates.count) |\n"
        }
        text +=
            "\n- Training set: \(tokens) tokens in rows of \(context), \(padding) of them padding; \(documents) documents.\n"
        text +=
            "- Validation set: \(validationTokens) tokens, \(validationDocuments) documents, all from the held-out region.\n"
        text += "- Vocabulary: \(vocabulary) pieces, byte-level BPE, one token per digit.\n"
        text +=
            "- Held out: every name and calculation whose hash is divisible by \(heldOut); none of them are in the training set.\n"
        text +=
            "- Weights of the loss, in hundredths: prompts \(weights.prompt), observations \(weights.observation), answers \(weights.answer); stories 100.\n"
        text +=
            "- Phases: "
            + phases.map { phase in
                "up to \(phase.until) "
                    + phase.shares.filter { $0.value > 0 }.sorted { $0.key < $1.key }
                    .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            }.joined(separator: "; ") + ".\n\n"
        text +=
            "Of \(generated) generated documents, the filters rejected:\n\n| reason | documents |\n|---|---:|\n"
        for verdict in QualityFilters.Verdict.allCases {
            text += "| \(verdict.rawValue) | \(removed[verdict] ?? 0) |\n"
        }
        return text
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("version", version)
            json.member("seed", seed)
            json.member("context", context)
            json.member("vocabulary", vocabulary)
            json.member("tokens", tokens)
            json.member("padding", padding)
            json.member("documents", documents)
            json.member("held_out", heldOut)
            json.member("validation_tokens", validationTokens)
            json.member("validation_documents", validationDocuments)
            json.member("generated", generated)
            json.objects("sources", of: parts) { part, json in
                json.member("name", part.name)
                json.member("documents", part.documents)
                json.member("tokens", part.tokens)
                json.member("templates", part.templates.count)
            }
            json.member("removed") { json in
                json.object { json in
                    for verdict in QualityFilters.Verdict.allCases {
                        json.member(verdict.rawValue, removed[verdict] ?? 0)
                    }
                }
            }
        }
    }
}
