import Evals
import JSON
import TestFixtures
import Testing
import Traces

/// Agreement of raters, compared with hand computations and other programs.
struct RaterAgreementTests {
    private static func ratings(_ rater: String, _ verdicts: [Rating.Verdict]) -> [Rating] {
        verdicts.enumerated().map {
            Rating(run: "1", sample: "s\($0.offset)", epoch: 1, rater: rater, verdict: $0.element, time: 0)
        }
    }

    @Test("kappa and alpha match scikit-learn and krippendorff")
    func goldens() throws {
        let path = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Goldens/raters.json"
        let text = try #require(File.text(path))
        let cases = try #require(try JSONValue(json: text).elements)
        #expect(cases.count == 3)
        for golden in cases {
            let grades = try #require(golden["ratings"]?.elements).map { $0.elements?.compactMap(\.int) ?? [] }
            let graded = RaterAgreement(
                ["ada", "bob", "eve"].enumerated().flatMap { place, name in
                    Self.ratings(name, grades[place].map { .grade($0) })
                })
            let pair = try #require(graded.pairs.first)
            #expect((pair.one, pair.other, pair.comparesGrades, pair.samples) == ("ada", "bob", true, grades[0].count))
            #expect(abs(try #require(pair.kappa) - (try #require(golden["grades"]?.double))) < 1e-12)
            #expect(abs(try #require(graded.alpha) - (try #require(golden["alpha"]?.double))) < 1e-12)
            // One rater with pass or fail reduces the grades to passing.
            let mixed = RaterAgreement(
                Self.ratings("ada", grades[0].map { .grade($0) })
                    + Self.ratings("bob", grades[1].map { $0 >= 3 ? .pass : .fail }))
            #expect(mixed.pairs[0].comparesGrades == false)
            #expect(abs(try #require(mixed.pairs[0].kappa) - (try #require(golden["passes"]?.double))) < 1e-12)
        }
    }

    @Test("agreement matches a hand computation, skipped ratings are ignored, and the score is a rater")
    func hand() throws {
        let ada = Self.ratings("ada", [.pass, .pass, .pass, .fail, .fail, .skipped])
        let bob = Self.ratings("bob", [.pass, .pass, .pass, .fail, .pass, .pass])
        let rows = [1.0, 1, 1, 0, 0, 1].enumerated().map { MadeRuns.row($0.offset, "s\($0.offset)", [$0.element]) }
        let agreement = RaterAgreement(ada + bob, rows: rows)
        #expect(
            agreement.pairs.map { "\($0.one) \($0.other) \($0.samples)" } == [
                "ada bob 5", "ada score 5", "bob score 6",
            ])
        #expect(abs(agreement.pairs[0].percent - 0.8) < 1e-15)
        // Both pass by chance 0.6 · 0.8; both fail 0.4 · 0.2.
        #expect(abs(try #require(agreement.pairs[0].kappa) - (0.8 - 0.56) / (1 - 0.56)) < 1e-12)
        #expect(agreement.pairs[1].percent == 1)
        #expect(agreement.pairs[1].kappa == 1)
    }

    @Test("a single rater, and raters of different samples, have no figures")
    func none() {
        let one = RaterAgreement(Self.ratings("ada", [.pass, .fail]))
        #expect(one.pairs.isEmpty)
        #expect(one.alpha == nil)
        let apart = Rating(run: "1", sample: "other", epoch: 1, rater: "bob", verdict: .pass, time: 0)
        #expect(RaterAgreement(Self.ratings("ada", [.pass, .fail]) + [apart]).pairs.isEmpty)
    }

    @Test("the majority decides calibration items, ties are left out, and unread judges are reported")
    func items() {
        let rows = (0..<4).map { MadeRuns.row($0, "s\($0)", [$0 == 1 ? .nan : 0.5]) }
        let ratings =
            Self.ratings("ada", [.pass, .grade(2), .pass, .skipped]) + Self.ratings("bob", [.grade(4), .fail, .fail])
        let items = JudgeCalibration.items(rows, score: 0, ratings: ratings)
        #expect(items == [.init(id: "s0", judge: 0.5, passes: true), .init(id: "s1", judge: nil, passes: false)])
        #expect(JudgeCalibration.items(rows, score: -1, ratings: ratings).allSatisfy { $0.judge == nil })
    }
}
