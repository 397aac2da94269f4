internal import System

/// Ranks by what a language model says: a grade for each passage, or one order of all.
///
/// Answers are read leniently and believed narrowly: a grade is the first number from 0 to 10, an order the numbers of
/// passages in brackets or alone. What was refused or cannot be read leaves the passages in the order in which they
/// came, and the note says so.
struct LanguageModelReranker: Reranker {
    let asker: LanguageModelAsker
    let isListwise: Bool

    /// Characters of a passage that are shown to the model.
    private static let shown = 4_000

    var parameters: [Stage.Parameter] {
        [Stage.Parameter("model", asker.name), Stage.Parameter("style", isListwise ? "listwise" : "pointwise")]
    }

    func rank(
        _ query: String, _ candidates: [ChunkContent], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> RerankedOrder {
        guard !candidates.isEmpty else { return RerankedOrder(places: []) }
        return isListwise
            ? try order(query, candidates, isCancelled) : try grades(query, candidates, isCancelled)
    }

    private func grades(
        _ query: String, _ candidates: [ChunkContent], _ isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> RerankedOrder {
        var scores: [Double?] = []
        var problem: String?
        for candidate in candidates {
            let prompt = """
                How well does the passage answer the question? Reply with only a number from 0 (not at all) to 10 \
                (completely).

                Question: \(query)

                Passage: \(candidate.text.prefix(Self.shown))

                Number:
                """
            let answer = try asker.ask(prompt, tokens: 16, isCancelled: isCancelled)
            switch answer {
            case .success(let text): scores.append(Self.grade(in: text))
            case .failure(let error):
                problem = error.sentence
                scores.append(nil)
            }
        }
        // Ungraded ones keep the places that they had; graded ones share the other places by their grades.
        let graded = scores.indices.filter { scores[$0] != nil }
        let sorted = graded.sorted { one, other in
            let (first, second) = (scores[one] ?? 0, scores[other] ?? 0)
            return first != second ? first > second : one < other
        }
        var places: [(candidate: Int, score: Double?)] = scores.indices.map { ($0, nil) }
        for (place, candidate) in zip(graded, sorted) { places[place] = (candidate, scores[candidate]) }
        let open = candidates.count - graded.count
        guard open > 0 else { return RerankedOrder(places: places) }
        let why = problem.map { ": \($0)" } ?? ": the reply contained no number from 0 to 10."
        return RerankedOrder(
            places: places,
            note: "\(open) of \(candidates.count) passages received no grade and keep their positions\(why)")
    }

    private func order(
        _ query: String, _ candidates: [ChunkContent], _ isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> RerankedOrder {
        let list = candidates.enumerated().map { "[\($0.offset + 1)] \($0.element.text.prefix(Self.shown))" }
        let prompt = """
            Order the passages by how well they answer the question, best first. Reply with only their numbers, such as \
            [2] > [1] > [3].

            Question: \(query)

            \(list.joined(separator: "\n\n"))

            Order:
            """
        let answer = try asker.ask(prompt, tokens: 16 + 8 * candidates.count, isCancelled: isCancelled)
        let kept: [(candidate: Int, score: Double?)] = candidates.indices.map { ($0, nil) }
        switch answer {
        case .failure(let error):
            return RerankedOrder(places: kept, note: "The passages keep their order: \(error.sentence)")
        case .success(let text):
            let named = Self.order(in: text, of: candidates.count)
            guard !named.isEmpty else {
                return RerankedOrder(
                    places: kept, note: "The passages keep their order: the reply names none of them.")
            }
            let rest = candidates.indices.filter { !named.contains($0) }
            return RerankedOrder(
                places: (named + rest).map { ($0, nil) },
                note: rest.isEmpty
                    ? nil : "The reply omits \(rest.count) of \(candidates.count) passages; they come last."
            )
        }
    }

    /// Returns the first number from 0 to 10 in an answer; the first alone counts, so that "8/10" is 8.
    static func grade(in answer: String) -> Double? {
        for word in numbers(in: answer[...], fractions: true) {
            guard let value = Double(word) else { continue }
            return (0...10).contains(value) ? value : nil
        }
        return nil
    }

    /// Places of passages from 0 in the order of an answer, each once: numbers in brackets where there are such, all
    /// others where not.
    static func order(in answer: String, of count: Int) -> [Int] {
        var bracketed: [Substring] = []
        var rest = answer[...]
        while let open = rest.firstIndex(of: "[") {
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "]") else { break }
            bracketed += numbers(in: rest[..<close], fractions: false)
            rest = rest[rest.index(after: close)...]
        }
        var places: [Int] = []
        for number in bracketed.isEmpty ? numbers(in: answer[...], fractions: false) : bracketed {
            guard let value = Int(number), (1...count).contains(value), !places.contains(value - 1) else { continue }
            places.append(value - 1)
        }
        return places
    }

    private static func numbers(in text: Substring, fractions: Bool) -> [Substring] {
        text.split { !($0.isASCII && $0.isNumber) && !(fractions && $0 == ".") }.map { word in
            word.hasSuffix(".") ? word.dropLast() : word
        }.filter { !$0.isEmpty }
    }
}
