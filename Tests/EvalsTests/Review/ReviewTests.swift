import EvalLogs
import Evals
import System
import TestFixtures
import Testing
import Workspace

/// Human ratings, and the order of the review queue.
struct ReviewTests {
    private let folder = TemporaryFolder()
    private let store: ReviewStore

    init() throws {
        store = ReviewStore(
            try Workspace.open(folder.file("w.orrery"), migrations: ReviewStore.migrations, create: true))
    }

    private static func rating(
        _ sample: String, _ verdict: Rating.Verdict, by rater: String = "ada", run: String = "1", epoch: Int = 1
    ) -> Rating {
        Rating(run: run, sample: sample, epoch: epoch, rater: rater, verdict: verdict, note: "n", time: 5)
    }

    private func standing(_ run: String = "1") throws -> [String] {
        try store.ratings(of: run).map { "\($0.rater) \($0.sample) \($0.epoch) \($0.verdict.name)" }
    }

    @Test("the last rating of each rater counts; undo restores the previous one")
    func undo() throws {
        let first = try store.add(Self.rating("a", .grade(2)))
        try store.add(Self.rating("a", .fail, by: "bob"))
        try store.add(Self.rating("a", .pass))
        try store.add(Self.rating("a", .skipped, epoch: 2))
        try store.add(Self.rating("a", .pass, run: "2"))
        #expect(first.id > 0)
        #expect(try standing() == ["bob a 1 fail", "ada a 1 pass", "ada a 2 skipped"])
        #expect(try store.undo(rater: "ada", run: "1")?.verdict == .skipped)
        #expect(try store.undo(rater: "ada", run: "1")?.verdict == .pass)
        #expect(try standing() == ["ada a 1 2", "bob a 1 fail"])
        #expect(try store.ratings(of: "1").first == first)
        #expect(try store.undo(rater: "ada", run: "1") == first)
        #expect(try store.undo(rater: "ada", run: "1") == nil)
        #expect(try standing() == ["bob a 1 fail"])
        #expect(try standing("2") == ["ada a 1 pass"])
    }

    @Test("an unknown grade is an error and hides nothing", arguments: [0, 6, -1, 10])
    func grades(_ grade: Int) throws {
        try store.add(Self.rating("a", .grade(4)))
        #expect(throws: Problem(.invalid, "a", "grade \(grade) is out of range", remedy: "Use 1 to 5.")) {
            try store.add(Self.rating("a", .grade(grade)))
        }
        #expect(try standing() == ["ada a 1 4"])
    }

    @Test("verdicts are parsed as they are written", arguments: ["1", "5", "pass", "fail", "skipped"])
    func names(_ name: String) { #expect(Rating.Verdict(name)?.name == name) }

    @Test("invalid verdicts are not parsed", arguments: ["0", "6", "+4", "04", "", "Pass", "4.0"])
    func noNames(_ name: String) { #expect(Rating.Verdict(name) == nil) }

    /// passed, failed, passed, failed, error.
    private static let rows = [
        MadeRuns.row(0, "a", [1]), MadeRuns.row(1, "b", [0]), MadeRuns.row(2, "c", [1]), MadeRuns.row(3, "d", [0]),
        MadeRuns.row(4, "e", [.nan], outcome: .error),
    ]

    @Test(
        "the queue has the requested order",
        arguments: [
            (ReviewQueue.Order.task, "abcde"), (.failed, "bdace"),
            // c: raters differ from the score; e: raters differ; then samples not rated by ada, failed first.
            (.disagreements, "cebda"),
        ])
    func order(_ order: ReviewQueue.Order, _ ids: String) {
        let ratings = [
            Self.rating("c", .fail, by: "bob"), Self.rating("e", .grade(5), by: "bob"), Self.rating("e", .grade(2)),
            Self.rating("a", .pass),
        ]
        let queue = ReviewQueue(Self.rows, ratings: ratings, rater: "ada", order: order)
        #expect(queue.entries.map(\.id).joined() == ids)
        #expect((queue.rated, queue.skipped, queue.disputed) == (2, 0, 2))
    }

    @Test("the next sample follows the current one, wraps around, and skipped ones are last")
    func next() {
        func queue(_ ratings: [Rating]) -> ReviewQueue {
            ReviewQueue(Self.rows, ratings: ratings, rater: "ada", order: .task)
        }
        let some = [Self.rating("a", .skipped), Self.rating("c", .pass), Self.rating("d", .pass, by: "bob")]
        #expect(queue(some).next(after: nil) == 1)
        #expect(queue(some).next(after: 1) == 3)
        #expect(queue(some).next(after: 4) == 1)
        let most = ["b", "c", "d", "e"].map { Self.rating($0, .fail) } + [Self.rating("a", .skipped)]
        #expect(queue(most).next(after: 0) == 0)
        #expect(queue(most).skipped == 1)
        #expect(queue(["a", "b", "c", "d", "e"].map { Self.rating($0, .grade(3)) }).next(after: 2) == nil)
        #expect(ReviewQueue([], ratings: [], rater: "ada").next(after: nil) == nil)
    }
}
