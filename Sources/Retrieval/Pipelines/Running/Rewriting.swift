internal import System

/// Other wordings of a question, written by a language model.
enum Rewriting {
    static let multiQuery = "multi-query"
    static let hypothetical = "HyDE"

    static func prompt(wordings count: Int, of query: String) -> String {
        """
        Rephrase the question in \(count) ways, so that a search engine can find the same answer. Use synonyms where \
        possible. Write each version on its own line, and write nothing else.

        Question: \(query)
        """
    }

    static func prompt(answer number: Int, to query: String) -> String {
        let further =
            number > 1 ? " Vary the passage (version \(number))." : ""
        return """
            Write a short passage that could appear in a document and answers the question. If you do not know the \
            answer, make it up. Write nothing else.\(further)

            Question: \(query)
            """
    }

    /// Returns the lines of an answer without their numbers, bullets and quotes; none twice, and not the question
    /// itself.
    static func wordings(in answer: String, of query: String, most: Int) -> [String] {
        var known: Set<String> = [folded(query)]
        var wordings: [String] = []
        for line in answer.split(whereSeparator: \.isNewline) where wordings.count < most {
            var text = line.drop { $0.isWhitespace || "-*•".contains($0) }
            let number = text.prefix { $0.isASCII && $0.isNumber }
            let rest = text.dropFirst(number.count)
            if !number.isEmpty, number.count < 3, let mark = rest.first, ".):".contains(mark) {
                text = rest.dropFirst()
            }
            let wording = String(
                text.drop { $0.isWhitespace || $0 == "\"" }.reversed().drop { $0.isWhitespace || $0 == "\"" }.reversed()
            )
            guard !wording.isEmpty, known.insert(folded(wording)).inserted else { continue }
            wordings.append(wording)
        }
        return wordings
    }

    private static func folded(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension PipelineWork.Asker {
    /// Returns the wordings that the pipeline asks for; what a model did not give is noted, and the question stands
    /// alone then.
    func rewrites() throws(Problem) -> (rewrites: [RetrievalRecord.Rewrite], notes: [String]) {
        let settings = definition.rewrite
        let model = try languageModel(settings.model, "rewrite")
        var rewrites: [RetrievalRecord.Rewrite] = []
        var notes: [String] = []
        if settings.queries > 0 {
            let prompt = Rewriting.prompt(wordings: settings.queries, of: query)
            switch try model.ask(prompt, tokens: settings.tokens, isCancelled: isCancelled) {
            case .failure(let error): notes.append("No rephrased queries: \(error.sentence)")
            case .success(let text):
                let wordings = Rewriting.wordings(in: text, of: query, most: settings.queries)
                rewrites += wordings.map { RetrievalRecord.Rewrite(kind: Rewriting.multiQuery, text: $0) }
                if wordings.count < settings.queries {
                    notes.append("\(model.name) wrote \(wordings.count) of \(settings.queries) rephrased queries.")
                }
            }
        }
        for number in 0..<settings.hypothetical {
            let prompt = Rewriting.prompt(answer: number + 1, to: query)
            switch try model.ask(prompt, tokens: settings.tokens, isCancelled: isCancelled) {
            case .failure(let error): notes.append("A hypothetical answer is missing: \(error.sentence)")
            case .success(let text):
                rewrites.append(RetrievalRecord.Rewrite(kind: Rewriting.hypothetical, text: text))
            }
        }
        return (rewrites, notes)
    }
}
