internal import GRDB
internal import SearchIndexes
public import System
internal import Workspace

extension CorpusSnapshot {
    public var isLexical: Bool { true }
    public var analyzer: String? { settings.analyzer }

    public func searchLexically(
        _ request: LexicalRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        if isCancelled() { throw .cancelled(corpus) }
        let allowed = try allowed(request.filter)
        return try answering {
            guard request.k > 0, let index = try index(for: request) else { return ChunkHits([]) }
            let hits = try index.search(
                query(of: request), k: request.k, allowed: allowed.map { .sorted($0.chunks) })
            if isCancelled() { throw CancellationError() }
            return ChunkHits(
                // A field that is left out by its weight still brings what it matches, with nothing.
                hits.filter { $0.score > 0 }.map { ChunkHit(chunk: $0.label, score: $0.score) },
                parameters: [
                    Stage.Parameter("analyzer", settings.analyzer), Stage.Parameter("k1", "\(index.settings.k1)"),
                    Stage.Parameter("b", "\(index.settings.b)"),
                ],
                note: allowed.map { "ranked \($0.chunks.count) of \(index.documentCount) chunks" })
        }
    }

    public func explainLexically(
        _ chunk: Int64, _ request: LexicalRequest
    ) throws(Problem) -> LexicalFinding {
        try answering {
            guard let index = try index(for: request), let content = try chunkTexts(chunk) else {
                return LexicalFinding(score: 0, terms: [])
            }
            let texts = content.lexical(settings.fields)
            let found = try index.explain(
                query(of: request), label: chunk, k: max(1, request.k), texts: texts, allowed: nil)
            let lead = content.lead("text", of: settings.fields) ?? 0
            func finding(_ word: String, _ term: String) -> StageExplanation.TermFinding {
                let parts = found.contributions.filter { $0.term == term }
                let places = parts.filter { $0.field == "text" }.flatMap(\.bytes).filter { $0.lowerBound >= lead }
                return .init(
                    word: word, term: term, frequency: parts.reduce(0) { $0 + $1.frequency },
                    contribution: parts.reduce(0) { $0 + $1.score },
                    places: places.map { $0.lowerBound - lead..<$0.upperBound - lead })
            }
            let searched = Set(found.contributions.map(\.term) + found.missing.map(\.term))
            var terms: [StageExplanation.TermFinding] = []
            var named: Set<String> = []
            // A repeated query word appears once; its contribution covers both.
            for word in found.analysis {
                guard case .term(let term) = word.outcome else {
                    guard named.insert(word.word).inserted else { continue }
                    terms.append(.init(word: word.word, term: nil, lost: Self.lost(word)))
                    continue
                }
                // Words inside a phrase count with the phrase, and excluded words contribute nothing.
                guard searched.contains(term), named.insert(term).inserted else { continue }
                terms.append(finding(word.word, term))
            }
            // Add phrases and word prefixes.
            for term in found.contributions.map(\.term) + found.missing.map(\.term)
            where named.insert(term).inserted {
                terms.append(finding(term, term))
            }
            return LexicalFinding(
                score: found.score, terms: terms, missingPhrase: try missingPhrase(request, index, chunk))
        }
    }

    public func placeLexically(
        of chunk: Int64, _ request: LexicalRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkPlace? {
        let allowed = try allowed(request.filter)
        return try answering {
            guard let index = try index(for: request) else { return nil }
            let found = try index.explain(
                query(of: request), label: chunk, k: max(1, request.k), texts: nil,
                allowed: allowed.map { .sorted($0.chunks) })
            return found.rank.map { ChunkPlace(rank: $0, score: found.score) }
        }
    }

    // MARK: Queries

    private func query(of request: LexicalRequest) -> LexicalQuery {
        switch request.phrases {
        case .required: LexicalQuery(parsing: request.query, fields: settings.fields.map(\.name)).requiringPhrases
        case .ignored: LexicalQuery(words: request.query)
        }
    }

    /// Returns the index with the request's own settings, where it has some.
    private func index(for request: LexicalRequest) throws -> LexicalIndex? {
        guard let index = try lexicalIndex() else { return nil }
        for field in request.fields where !settings.fields.contains(where: { $0.name == field.name }) {
            throw Problem(
                .missing, "corpus \(corpus)", "the lexical index has no field \(field.name)",
                remedy: "Available fields: \(settings.fields.map(\.name).joined(separator: ", ")).")
        }
        let own = index.settings
        guard let row = lexicalRow else { return index }
        let scoring = RescoredIndexes.Scoring(
            k1: request.k1 ?? own.k1, b: request.b ?? own.b,
            boosts: own.fields.map { field in
                guard !request.fields.isEmpty else { return field.boost }
                return request.fields.first { $0.name == field.name }?.weight ?? 0
            })
        if scoring.k1 == own.k1, scoring.b == own.b, scoring.boosts == own.fields.map(\.boost) { return index }
        return try rescored.index(scoring) { try LiveSegments(workspace, index: row) }
    }

    private func missingPhrase(_ request: LexicalRequest, _ index: LexicalIndex, _ chunk: Int64) throws -> String? {
        guard request.phrases == .required else { return nil }
        for clause in query(of: request).clauses {
            guard clause.occurrence == .required, case .phrase(let text) = clause.content else { continue }
            let hits = try index.search(
                LexicalQuery(clauses: [clause]), k: 1, allowed: .sorted([chunk]))
            if hits.isEmpty { return text }
        }
        return nil
    }

    /// Returns the indexed texts of a chunk; `nil` if the chunk does not exist or is hidden from this session.
    func chunkTexts(_ chunk: Int64) throws -> ChunkTexts? {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT c.document, c.first, c.beyond, c.heading, d.title, d.kind, d.namespace
                FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document WHERE c.id = ? AND d.corpus = ?
                """)
            row.bind(1, chunk)
            row.bind(2, id)
            guard try row.step(), namespaces.contains(row.text(6)) else { return nil }
            let first = max(0, row.int(1))
            let text = try texts.text(of: row.int64(0), first..<max(first, row.int(2)), db)
            return ChunkTexts(
                title: row.text(4), heading: row.text(3), text: text, kind: SourceKind(rawValue: row.text(5)))
        }
    }

    private static func lost(_ word: AnalyzedWord) -> String? {
        guard case .lost(let loss) = word.outcome else { return nil }
        return switch loss {
        case .stopWord: "stop word"
        case .tooShort: "too short"
        case .tooLong: "too long"
        }
    }
}

extension LexicalQuery {
    /// The query with each phrase required that was optional.
    var requiringPhrases: LexicalQuery {
        LexicalQuery(
            clauses: clauses.map { clause in
                guard clause.occurrence == .optional, case .phrase = clause.content else { return clause }
                return Clause(clause.content, .required, field: clause.field)
            })
    }
}
