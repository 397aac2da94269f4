internal import SearchIndexes
internal import System

extension PipelineWork {
    /// What single steps of a pipeline do, apart from the record that they are kept in: explanations take the same
    /// steps.
    struct Asker {
        var run: PipelineRun
        let query: String
        let calls: CallList
        let isCancelled: @Sendable () -> Bool

        init(_ work: PipelineWork) {
            self.init(work.run, work.query, calls: work.calls, isCancelled: work.isCancelled)
        }

        init(_ run: PipelineRun, _ query: String, calls: CallList, isCancelled: @escaping @Sendable () -> Bool) {
            self.run = run
            self.query = query
            self.calls = calls
            self.isCancelled = isCancelled
        }

        var definition: PipelineDefinition { run.definition }
        var source: any RetrievalSource { run.source }

        /// A search that a pipeline makes: one stage with one wording.
        struct Question {
            enum Kind {
                case lexical(PipelineDefinition.Lexical)
                case dense(PipelineDefinition.Dense, DenseSpace)
            }

            /// As records name it: `dense`, `dense (2)` with the first further wording.
            var stage: String
            var kind: Kind
            var text: String
            /// Made-up answers that stand for the query.
            var hypothetical: [String] = []

            var weight: Double {
                switch kind {
                case .lexical(let stage): stage.weight
                case .dense(let stage, _): stage.weight
                }
            }

            var k: Int {
                switch kind {
                case .lexical(let stage): stage.k
                case .dense(let stage, _): stage.k
                }
            }

            /// The section of the file that its keys are in.
            var section: String {
                switch kind {
                case .lexical(let stage): stage.name
                case .dense(let stage, _): stage.name
                }
            }

            var higherIsBetter: Bool {
                if case .dense(_, let space) = kind { space.metric.higherIsNearer } else { true }
            }
        }

        /// What a search found: the stage without its entries, and what comes behind those that it lets through.
        struct Found {
            var stage: Stage
            var behind: [ChunkHit]
        }

        func filter() throws(Problem) -> ChunkFilter? {
            guard !definition.filter.isEmpty else { return nil }
            return try run.memory.filter(definition.filter) { expression throws(Problem) in
                try source.resolve(filter: expression)
            }
        }

        func languageModel(_ name: String, _ stage: String) throws(Problem) -> LanguageModelAsker {
            LanguageModelAsker(
                model: try run.resources.languageModel(name), memory: run.memory, calls: calls, stage: stage)
        }

        /// Returns the searches of the pipeline in the order in which they are made; what cannot be searched is noted.
        func questions(
            _ rewrites: [RetrievalRecord.Rewrite], notes: inout [String]
        ) throws(Problem) -> [Question] {
            let wordings = [query] + rewrites.filter { $0.kind == Rewriting.multiQuery }.map(\.text)
            let hypothetical = rewrites.filter { $0.kind == Rewriting.hypothetical }.map(\.text)
            var questions: [Question] = []
            func name(_ stage: String, _ index: Int) -> String { index == 0 ? stage : "\(stage) (\(index + 1))" }
            for stage in definition.lexical {
                guard source.isLexical else {
                    notes.append("\(stage.name) did not search: \(source.corpus) has no lexical index yet.")
                    continue
                }
                for (index, wording) in wordings.enumerated() {
                    questions.append(Question(stage: name(stage.name, index), kind: .lexical(stage), text: wording))
                }
            }
            for stage in definition.dense {
                guard let space = source.space(stage.space) else {
                    guard let wanted = stage.space, !source.spaces.isEmpty else {
                        notes.append("\(stage.name) did not search: \(source.corpus) has no vectors yet.")
                        continue
                    }
                    throw Problem(
                        .missing, definition.path,
                        "\(source.corpus) has no vector space \(wanted) (\(stage.name).space)",
                        remedy: "Available spaces: \(source.spaces.map(\.name).joined(separator: ", ")).")
                }
                for (index, wording) in wordings.enumerated() {
                    questions.append(
                        Question(
                            stage: name(stage.name, index), kind: .dense(stage, space), text: wording,
                            hypothetical: index == 0 ? hypothetical : []))
                }
            }
            return questions
        }

        func lexicalRequest(_ question: Question, _ filter: ChunkFilter?) -> LexicalRequest? {
            guard case .lexical(let stage) = question.kind else { return nil }
            return LexicalRequest(
                query: question.text, k: stage.k, fields: stage.fields, k1: stage.k1, b: stage.b,
                phrases: stage.phrases, filter: filter)
        }

        func denseRequest(
            _ question: Question, _ filter: ChunkFilter?
        ) throws(Problem) -> DenseRequest? {
            guard case .dense(let stage, let space) = question.kind else { return nil }
            return DenseRequest(
                space: space.name, vector: try vector(question, space), k: stage.k, effort: stage.effort(of: space),
                reranked: stage.rescored, filter: filter)
        }

        /// Returns the query's vector, or the mean of it and of those of made-up answers (Gao et al., ACL 2023,
        /// equation 8).
        private func vector(_ question: Question, _ space: DenseSpace) throws(Problem) -> [Float] {
            let own = try embed([question.text], .query, space.name)[0]
            guard !question.hypothetical.isEmpty else { return own }
            let all = [own] + (try embed(question.hypothetical, .passage, space.name))
            return own.indices.map { column in
                Float(all.reduce(0.0) { $0 + Double($1[column]) } / Double(all.count))
            }
        }

        func embed(_ texts: [String], _ role: EmbeddingRole, _ space: String) throws(Problem) -> [[Float]] {
            let vectors = try run.memory.vectors(of: texts, as: role, space: space) { open throws(Problem) in
                try source.embed(open, as: role, space: space, isCancelled: isCancelled)
            }
            guard let width = vectors.first?.count, width > 0, vectors.allSatisfy({ $0.count == width }) else {
                throw Problem(.failed, space, "the embedder returned no vectors, or vectors of different dimensions")
            }
            return vectors
        }

        /// - Returns: The stage with its entries beyond k, and the entries that it keeps.
        func search(_ question: Question, _ filter: ChunkFilter?) throws(Problem) -> (Found, RankedList) {
            let start = Clock.now(.monotonic)
            let found: ChunkHits
            var behind: [ChunkHit] = []
            var seconds = 0.0
            var stage = Stage(name: question.stage, kind: .lexical, parameters: [Stage.Parameter("k", "\(question.k)")])
            if var request = lexicalRequest(question, filter) {
                request.k += run.shownBehind
                found = try source.searchLexically(request, isCancelled: isCancelled)
                seconds = Clock.now(.monotonic) - start
                behind = Array(found.hits.dropFirst(question.k))
            } else if case .dense(let settings, let space) = question.kind,
                let request = try denseRequest(question, filter)
            {
                stage.kind = .dense
                stage.parameters.append(Stage.Parameter("space", space.name))
                stage.parameters.append(Stage.Parameter("index", settings.isExact ? "exact" : space.index))
                if let key = space.effortKey, let effort = request.effort, !settings.isExact {
                    stage.parameters.append(Stage.Parameter(key, "\(effort)"))
                }
                found = try searchDensely(request, settings)
                seconds = Clock.now(.monotonic) - start
                if run.shownBehind > 0 { behind = try further(found.hits, request, settings, space) }
            } else {
                found = ChunkHits([])
            }
            let hits = Array(found.hits.prefix(question.k))
            stage.kept = hits.count
            stage.seconds = seconds
            stage.note = found.note
            stage.parameters += found.parameters.filter { told in !stage.parameters.contains { $0.name == told.name } }
            let list = RankedList(
                stage: question.stage, hits: hits, weight: question.weight, higherIsBetter: question.higherIsBetter)
            return (Found(stage: stage, behind: behind), list)
        }

        func searchDensely(
            _ request: DenseRequest, _ settings: PipelineDefinition.Dense
        ) throws(Problem) -> ChunkHits {
            settings.isExact
                ? try source.searchExactly(request, isCancelled: isCancelled)
                : try source.searchDensely(request, isCancelled: isCancelled)
        }

        /// What a deeper search finds behind the last hit. Asking for more makes most indexes look harder: what they
        /// find then before the last hit, the search itself has missed, and it is not shown as if it had not.
        private func further(
            _ hits: [ChunkHit], _ request: DenseRequest, _ settings: PipelineDefinition.Dense, _ space: DenseSpace
        ) throws(Problem) -> [ChunkHit] {
            guard hits.count >= request.k, let last = hits.last else { return [] }
            var deeper = request
            deeper.k += run.shownBehind
            let known = Set(hits.map(\.chunk))
            return try searchDensely(deeper, settings).hits.filter { hit in
                guard !known.contains(hit.chunk) else { return false }
                if hit.score == last.score { return hit.chunk > last.chunk }
                return space.metric.higherIsNearer ? hit.score < last.score : hit.score > last.score
            }
        }
    }
}
