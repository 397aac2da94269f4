extension PipelineKey {
    /// Sections of which a pipeline may have further ones, such as `[dense.wide]`.
    static let repeatable = ["lexical", "dense"]

    /// The most chunks that a stage lets through.
    static let mostKept = 100_000
    private static let kept = 1...mostKept

    /// Every key, in the order in which they are explained and written.
    static let all: [PipelineKey] = search + ranking + answering

    private static let search: [PipelineKey] = [
        .init("pipeline.name", .text, .text(""), "empty: the file's name"),
        .init("pipeline.description", .text, .text(""), "a sentence for lists"),
        .init("filter.expression", .text, .text(""), "over metadata; only chunks that it lets through are found"),
        .init(
            "rewrite.queries", .integer(0...16), .integer(0),
            "other wordings that a language model writes (multi-query)"),
        .init(
            "rewrite.hypothetical", .integer(0...16), .integer(0),
            "answers that a language model makes up; dense stages search by their mean with the query (HyDE)"),
        .init("rewrite.model", .text, .text(""), "the language model that writes them"),
        .init("rewrite.tokens", .integer(16...8_192), .integer(256), "that it may write each time"),
        .init("lexical.enabled", .flag, .flag(true), "search by words"),
        .init("lexical.k", .integer(kept), .integer(50), "chunks that it lets through"),
        .init(
            "lexical.fields", .texts, .texts([]),
            "such as \"title^2\", with its weight; none: all as the index has them"),
        .init("lexical.k1", .number(0...100), nil, "how soon a frequent term counts no more"),
        .init("lexical.b", .number(0...1), nil, "how much a chunk's length counts"),
        .init(
            "lexical.phrases", .choice(["required", "ignored"]), .text("required"),
            "what stands in quotes must stand so in the chunk, or quotes count as spaces"),
        .init("lexical.weight", .number(0...1e6), .number(1), "in the fusion"),
        .init("dense.enabled", .flag, .flag(true), "search by vectors"),
        .init("dense.k", .integer(kept), .integer(50), "chunks that it lets through"),
        .init("dense.space", .text, .text(""), "whose vectors; empty: those that the corpus searches by itself"),
        .init("dense.exact", .flag, .flag(false), "compare every vector, without the index"),
        .init("dense.ef", .integer(1...mostKept), nil, "hnsw, vamana: candidates on the way"),
        .init("dense.nprobe", .integer(1...mostKept), nil, "ivf, ivf-pq, lsh: lists that are visited"),
        .init("dense.rescore", .integer(0...mostKept), nil, "indexes of codes: candidates ranked by full vectors"),
        .init("dense.weight", .number(0...1e6), .number(1), "in the fusion"),
    ]

    private static let ranking: [PipelineKey] = [
        .init(
            "fusion.method", .choice(["rrf", "weighted", "min-max"]), .text("rrf"),
            "rrf: by ranks; weighted: sums of scores as they are; min-max: of scores scaled to 0...1"),
        .init("fusion.k", .number(0...1e6), .number(60), "rrf: added to every rank"),
        .init(
            "fusion.depth", .integer(0...mostKept), .integer(0), "of each ranking, the first that count; 0: all kept"),
        .init("fusion.keep", .integer(kept), .integer(20), "chunks that it lets through"),
        .init(
            "rerank.method", .choice(["none", "cross-encoder", "mmr", "maxsim", "language-model"]), .text("none"),
            "mmr: less of the same; maxsim: the best sentence counts"),
        .init("rerank.model", .text, .text(""), "the cross-encoder or language model"),
        .init(
            "rerank.space", .text, .text(""), "mmr, maxsim: whose vectors; empty: those that dense searches by itself"),
        .init("rerank.depth", .integer(kept), .integer(20), "chunks that it looks at"),
        .init("rerank.keep", .integer(kept), .integer(10), "chunks that it lets through"),
        .init("rerank.lambda", .number(0...1), .number(0.7), "mmr: 1 counts likeness to the query alone"),
        .init(
            "rerank.style", .choice(["pointwise", "listwise"]), .text("pointwise"),
            "language-model: a grade for each chunk, or one order of all"),
    ]

    private static let answering: [PipelineKey] = [
        .init("context.budget", .integer(0...100_000_000), .integer(2_000), "of all passages together; 0: any"),
        .init("context.unit", .choice(["tokens", "characters"]), .text("tokens"), "that the budget counts"),
        .init(
            "context.order", .choice(["score", "edges", "document"]), .text("score"),
            "edges: the best first and last, the rest in the middle; document: as documents have them"),
        .init("context.deduplicate", .flag, .flag(true), "merge overlapping chunks, leave out what says the same"),
        .init(
            "context.similarity", .number(0.1...1), .number(0.9), "of runs of three words from which two say the same"),
        .init("context.expand", .choice(["none", "parent"]), .text("none"), "parent: the larger chunk instead"),
        .init("answer.model", .text, .text(""), "the language model that answers; empty: no answer"),
        .init("answer.prompt", .text, .text(""), "with {context} and {question}; empty: the built-in one"),
        .init("answer.citations", .flag, .flag(true), "ask for marks such as [1]"),
        .init("answer.tokens", .integer(1...1_000_000), .integer(512), "that the answer may have"),
    ]
}
