internal import Configuration
internal import SearchIndexes

/// The keys of a pipeline file.
enum PipelineKeys {
    /// The most chunks that a stage lets through.
    static let mostKept = 100_000
    private static let kept = 1...mostKept

    /// Every key, in the order in which they are explained and written.
    static let all = SettingKeys(
        search + ranking + answering, repeatable: ["lexical", "dense"], list: "orrery corpus pipeline --defaults")

    /// Returns the names of the indexes with a unit of search effort, separated by commas.
    private static func indexes(_ effort: SearchEffort) -> String {
        VectorIndexTable.standard.names(with: effort).joined(separator: ", ")
    }

    private static let search: [SettingKey] = [
        .init("pipeline.name", .text, .text(""), "name (default: file name)"),
        .init("pipeline.description", .text, .text(""), "description shown in lists"),
        .init("filter.expression", .text, .text(""), "filter over metadata; only matching chunks are found"),
        .init(
            "rewrite.queries", .integer(0...16), .integer(0),
            "number of rephrased queries written by a language model (multi-query)"),
        .init(
            "rewrite.hypothetical", .integer(0...16), .integer(0),
            "number of hypothetical answers; dense stages average them with the query (HyDE)"),
        .init("rewrite.model", .text, .text(""), "language model for rewriting"),
        .init("rewrite.tokens", .integer(16...8_192), .integer(256), "maximum number of tokens per reply"),
        .init("lexical.enabled", .flag, .flag(true), "whether to search by words"),
        .init("lexical.k", .integer(kept), .integer(50), "number of chunks kept"),
        .init(
            "lexical.fields", .texts, .texts([]),
            "fields with weights, such as \"title^2\" (default: all, with the index's weights)"),
        .init("lexical.k1", .number(0...100), nil, "saturation of term frequency in BM25"),
        .init("lexical.b", .number(0...1), nil, "strength of length normalization in BM25"),
        .init(
            "lexical.phrases", .choice(["required", "ignored"]), .text("required"),
            "required: chunks must contain quoted phrases; ignored: quotes have no effect"),
        .init("lexical.weight", .number(0...1e6), .number(1), "weight in the fusion"),
        .init("dense.enabled", .flag, .flag(true), "whether to search by vectors"),
        .init("dense.k", .integer(kept), .integer(50), "number of chunks kept"),
        .init("dense.space", .text, .text(""), "vector space to search (default: the corpus's active space)"),
        .init("dense.exact", .flag, .flag(false), "whether to compare every vector instead of using the index"),
        .init(
            "dense.ef", .integer(1...mostKept), nil, "\(indexes(.candidates)): number of candidates during the search"),
        .init("dense.nprobe", .integer(1...mostKept), nil, "\(indexes(.lists)): number of lists to search"),
        .init(
            "dense.rescore", .integer(0...mostKept), nil,
            "compressed indexes: number of candidates rescored with full vectors"),
        .init("dense.weight", .number(0...1e6), .number(1), "weight in the fusion"),
    ]

    private static let ranking: [SettingKey] = [
        .init(
            "fusion.method", .choice(["rrf", "weighted", "min-max"]), .text("rrf"),
            "rrf: by rank; weighted: sum of raw scores; min-max: sum of scores scaled to 0...1"),
        .init("fusion.k", .number(0...1e6), .number(60), "rrf: added to every rank"),
        .init(
            "fusion.depth", .integer(0...mostKept), .integer(0), "number of chunks used from each ranking (0: all)"),
        .init("fusion.keep", .integer(kept), .integer(20), "number of chunks kept"),
        .init(
            "rerank.method", .choice(["none", "cross-encoder", "mmr", "maxsim", "language-model"]), .text("none"),
            "mmr: more varied chunks; maxsim: score of the best sentence"),
        .init("rerank.model", .text, .text(""), "cross-encoder or language model"),
        .init(
            "rerank.space", .text, .text(""), "mmr, maxsim: vector space to use (default: the value of dense.space)"),
        .init("rerank.depth", .integer(kept), .integer(20), "number of chunks to rerank"),
        .init("rerank.keep", .integer(kept), .integer(10), "number of chunks kept"),
        .init("rerank.lambda", .number(0...1), .number(0.7), "mmr: 1 considers only similarity to the query"),
        .init(
            "rerank.style", .choice(["pointwise", "listwise"]), .text("pointwise"),
            "language-model: grade each chunk, or order all chunks at once"),
    ]

    private static let answering: [SettingKey] = [
        .init(
            "context.budget", .integer(0...100_000_000), .integer(2_000),
            "maximum total size of the passages (0: unlimited)"),
        .init("context.unit", .choice(["tokens", "characters"]), .text("tokens"), "unit of the budget"),
        .init(
            "context.order", .choice(["score", "edges", "document"]), .text("score"),
            "edges: best chunks first and last; document: document order"),
        .init(
            "context.deduplicate", .flag, .flag(true), "whether to merge overlapping chunks and drop near-duplicates"),
        .init(
            "context.similarity", .number(0.1...1), .number(0.9),
            "minimum share of common three-word runs for near-duplicates"),
        .init(
            "context.expand", .choice(["none", "parent"]), .text("none"), "parent: use the larger parent chunk instead"),
        .init("answer.model", .text, .text(""), "language model that answers (default: no answer)"),
        .init("answer.prompt", .text, .text(""), "prompt with {context} and {question} (default: the built-in prompt)"),
        .init("answer.citations", .flag, .flag(true), "whether to request citations such as [1]"),
        .init("answer.tokens", .integer(1...1_000_000), .integer(512), "maximum number of tokens in the answer"),
    ]
}
