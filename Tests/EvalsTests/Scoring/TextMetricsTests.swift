import EvalLogs
import Evals
import JSON
import Statistics
import Testing

/// Text metrics, compared with sacrebleu and rouge-score: `Goldens/text.py`.
struct TextMetricsTests {
    private func isClose(_ one: Double, _ other: Double?) -> Bool { other.map { abs(one - $0) <= 1e-9 } ?? false }

    @Test("sentence metrics match the reference implementations") func sentences() throws {
        let cases = try #require(try Scored.golden("text.json")["cases"]?.elements)
        #expect(cases.count > 70)
        for one in cases {
            let answer = try #require(one["answer"]?.string)
            let references = try #require(one["references"]?.elements).compactMap(\.string)
            let title = "\(answer.debugDescription) \(references)"
            let bleu = try #require(BLEU.Statistics(answer, references: references)).score(effectiveOrder: true)
            #expect(isClose(bleu, one["bleu"]?.double), "bleu \(title)")
            let chrf = try #require(ChrF().statistics(answer, references: references)).score
            #expect(isClose(chrf, one["chrf"]?.double), "chrf \(title)")
            let words = try #require(ChrF(wordOrders: 2).statistics(answer, references: references)).score
            #expect(isClose(words, one["chrf++"]?.double), "chrf++ \(title)")
            let ter = try #require(TER.statistics(answer, references: references)).score
            #expect(isClose(ter, one["ter"]?.double), "ter \(title): \(ter)")
            for member in one["rouge"]?.members ?? [] {
                let rouge = try #require(ROUGE(name: member.key))
                let score = try #require(rouge.score(answer, reference: references[0]))
                let wanted = (member.value.elements ?? []).compactMap(\.double)
                #expect(
                    wanted.count == 3 && isClose(score.precision, wanted[0]) && isClose(score.recall, wanted[1])
                        && isClose(score.f, wanted[2]), "\(member.key) \(title): \(score)")
            }
            for member in one["plain"]?.members ?? [] {
                let rouge = try #require(ROUGE(name: member.key, stems: false))
                let score = try #require(rouge.score(answer, reference: references[0]))
                #expect(isClose(score.f, member.value.double), "\(member.key) without stems \(title)")
            }
        }
    }

    @Test("corpus metrics match the reference implementations") func corpus() throws {
        let golden = try Scored.golden("text.json")
        let cases = try #require(golden["cases"]?.elements)
        let answers = cases.compactMap { $0["answer"]?.string }
        let references = cases.compactMap { $0["references"]?.elements?.first?.string.map { [$0] } }
        let corpus = try #require(golden["corpus"])
        #expect(isClose(BLEU.corpus(answers, references: references), corpus["bleu"]?.double))
        #expect(isClose(ChrF().corpus(answers, references: references), corpus["chrf"]?.double))
        #expect(isClose(ChrF(wordOrders: 2).corpus(answers, references: references), corpus["chrf++"]?.double))
        #expect(isClose(TER.corpus(answers, references: references), corpus["ter"]?.double))
        // The same through scorers, their parts, and the metrics of a run.
        for (kind, metric, name) in [
            ("bleu", "corpus_bleu", "bleu"), ("chrf", "corpus_chrf", "chrf"), ("ter", "corpus_ter", "ter"),
        ] {
            let scorer = try Scored.make(kind)
            let score = try #require(scorer.scores.first)
            let samples = zip(answers, references).enumerated().map { index, pair in
                let scores = scorer.score(
                    Solution(answers: [pair.0]), of: Scored.sample(pair.1), in: ScoringRoom())
                return MetricSample(
                    id: "\(index)", epochs: scores, reducer: .mean, score: score, answer: pair.0, targets: pair.1)
            }
            let figures = try Metrics.figures(of: [MetricChoice(metric)], scores: [score]) { _ in samples }
            let figure = try #require(figures.first)
            #expect(isClose(figure.value, corpus[name]?.double), "\(metric)")
            #expect(figure.count == answers.count)
        }
    }

    @Test("text metrics match the shared goldens") func sharedGoldens() throws {
        guard let text = Scored.shared("peers/evals/goldens.json") else {
            print("skipped: ../shared/peers/evals/goldens.json is not there")
            return
        }
        let golden = try JSONValue(json: text)
        let input = try #require(golden["text_in"])
        let answers = (input["hyp"]?.elements ?? []).compactMap(\.string)
        let references = (input["ref"]?.elements ?? []).compactMap { $0.string.map { [$0] } }
        let wanted = try #require(golden["text"])
        #expect(answers.count == 3)
        #expect(isClose(BLEU.corpus(answers, references: references), wanted["bleu"]?.double))
        #expect(isClose(ChrF().corpus(answers, references: references), wanted["chrf"]?.double))
        #expect(isClose(ChrF(wordOrders: 2).corpus(answers, references: references), wanted["chrf++"]?.double))
        #expect(isClose(TER.corpus(answers, references: references), wanted["ter"]?.double))
        for (index, one) in try #require(wanted["rouge"]?.elements).enumerated() {
            for member in one.members ?? [] {
                let rouge = try #require(ROUGE(name: member.key))
                let score = try #require(rouge.score(answers[index], reference: references[index][0]))
                #expect(isClose(score.f, member.value.double), "\(member.key) of \(index)")
            }
        }
    }

    @Test("stems match NLTK") func stems() throws {
        let stems = try #require(try Scored.golden("text.json")["stems"]?.members)
        #expect(stems.count > 1_000)
        for member in stems { #expect(PorterStemmer.stem(member.key) == member.value.string, "\(member.key)") }
    }
}
