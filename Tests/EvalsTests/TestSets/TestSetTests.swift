import EvalLogs
import Evals
import JSON
import LanguageModels
import ModelLab
import Providers
import Retrieval
import System
import TestFixtures
import Testing
import Traces
import Workspace

/// Test sets of the user's documents, from passages to questions with their gold documents.
struct TestSetTests {
    private let folder = TemporaryFolder()
    private let workspace: Workspace
    private let store: CorpusStore

    init() throws {
        workspace = try Workspace.open(
            folder.file("w.orrery"),
            migrations: TraceStore.migrations + Retrieval.migrations + ModelLab.migrations + Evals.migrations,
            create: true)
        store = CorpusStore(workspace)
    }

    @Test(
        "the word of a plan is parsed back",
        arguments: [
            ("north", TestSetPlan()), ("a,b", TestSetPlan(count: 3, seed: .max, shortest: 1)),
            ("x,duplicates", TestSetPlan(takesDuplicates: true)),
        ])
    func words(_ corpus: String, _ plan: TestSetPlan) throws {
        let read = try #require(TestSetPlan.parse(plan.word(for: corpus)))
        #expect(read.corpus == corpus)
        #expect(read.plan == plan)
    }

    @Test(
        "other words are paths",
        arguments: [
            "task.toml", "questions:", "questions:a,1,2", "questions:a,-1,2,3", "questions:,1,2,3", "questions:a,b,c,d",
        ])
    func paths(_ word: String) { #expect(TestSetPlan.parse(word) == nil) }

    private func corpus(_ documents: Int, sentences: Int = 40) throws -> Corpus {
        let made = try store.create("c\(documents)", settings: CorpusSettings(chunker: "recursive size=300 overlap=0"))
        try store.add(
            documents: (0..<documents).map { document in
                let text = (0..<sentences).map { "Machine \(document) has part number \($0) of the long list." }
                return SourceDocument(id: "d\(document)", text: text.joined(separator: " "))
            }, to: made.id)
        return try store.corpus(named: made.name)
    }

    @Test("a plan is a runnable task")
    func orders() throws {
        let word = TestSetPlan(count: 3).word(for: try corpus(2).name)
        let orders = try EvalSetup(task: word, models: ["scripted:a"]).orders(in: workspace)
        #expect(orders.map(\.task.samples.count) == [3])
    }

    @Test("passages are spread over the documents, depending only on the seed")
    func spread() throws {
        let corpus = try corpus(5)
        func documents(_ plan: TestSetPlan) throws -> [String] {
            try plan.task(of: corpus, in: store).samples.map { $0.cluster ?? "" }
        }
        #expect(Set(try documents(TestSetPlan(count: 5))).count == 5)
        let twelve = Dictionary(grouping: try documents(TestSetPlan(count: 12)), by: \.self).mapValues(\.count)
        #expect(twelve.values.sorted() == [2, 2, 2, 3, 3])
        func ids(_ seed: UInt64) throws -> [String] {
            try TestSetPlan(count: 12, seed: seed).task(of: corpus, in: store).samples.map(\.id)
        }
        #expect(try ids(1) == ids(1))
        #expect(try ids(1) != ids(2))
        #expect(Set(try ids(1)).count == 12)
        // More than there are: all of them, once each.
        let all = try documents(TestSetPlan(count: 10_000)).count
        #expect(all == corpus.chunkCount)
        #expect(throws: Problem.self) { try TestSetPlan(shortest: 100_000).task(of: corpus, in: store) }
    }

    private static func sample(
        _ index: Int, _ question: String, quote: String, start: Int = 100, answer: String? = nil
    ) -> EvalSampleRecord {
        let text = "Before it. The lamp \(index) is green at night. After it."
        let metadata = JSONValue.object([
            .init(key: "document", value: .string("d\(index)")), .init(key: "start", value: .integer(start)),
            .init(key: "text", value: .string(text)),
        ])
        let said = JSONText.object([("question", question), ("answer", "green"), ("quote", quote)])
        return .made(index, .passed, answer: answer ?? said, metadata: metadata.json())
    }

    private static let log = MadeLog([
        sample(0, "Which color has the first lamp at night?", quote: "The lamp 0 is green"),
        sample(1, "Which color has the first lamp at night?", quote: "The lamp 1 is green"),
        sample(2, "How does the harbor light look when it is dark?", quote: "lamp 2  is\ngreen"),
        sample(3, "What would a sailor see from the northern pier?", quote: "a red lamp"),
        sample(4, "Who has painted those signals by the water?", quote: "green", answer: "I cannot."),
        sample(5, "Where do ships wait for the pilot in winter?", quote: "green", start: .max),
    ])

    @Test("the gold points at the quote; everything left out is counted by reason")
    func made() throws {
        let set = try TestSet(Self.log, ratings: [])
        #expect(
            set.questions.cases.map(\.gold) == [
                [.init("d0", range: 111..<130)], [.init("d2", range: 115..<130)],
            ])
        #expect(
            Set(set.dropped.map { "\($0.count) \($0.reason)" }) == [
                "1 near-duplicate of another question", "1 the quoted words are not in the passage",
                "1 the model's answer cannot be read", "1 the run did not record a passage",
            ])
    }

    @Test("rejected questions are left out; with approval, only approved questions are included")
    func reviewed() throws {
        func rating(_ sample: Int, _ verdict: Rating.Verdict) -> Rating {
            Rating(run: "7", sample: "s\(sample)", epoch: 1, rater: "ada", verdict: verdict, time: 0)
        }
        let ratings = [rating(0, .fail), rating(2, .grade(4)), rating(1, .skipped)]
        let usual = try TestSet(Self.log, ratings: ratings)
        #expect(usual.questions.cases.map { $0.gold[0].document } == ["d1", "d2"])
        #expect(usual.dropped.contains { $0 == .init(reason: "rejected by a reviewer", count: 1) })
        let approved = try TestSet(Self.log, ratings: ratings, approval: .reviewed)
        #expect(approved.questions.cases.map { $0.gold[0].document } == ["d2"])
        #expect(approved.dropped.first == .init(reason: "not reviewed", count: 4))
    }

    /// Asks about the first sentence of the passage in a prompt, and quotes it.
    private struct Quoting: Solver {
        let name = "quoting"
        let identity = "quoting"

        func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
            let text = sample.fields["text"]?.string ?? ""
            let words = text.split(whereSeparator: \.isWhitespace).prefix(8).joined(separator: " ")
            let question = "Where is it told that \(sample.id) concerns number \(sample.id.utf8.count)?"
            return .plain(JSONText.object([("question", question), ("answer", "here it is"), ("quote", words)]))
        }
    }

    @Test("end to end over the sample corpus, the gold of every question is the quote in its document")
    func sampleCorpus() throws {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
        let made = try store.create("northfold")
        try store.add(["\(root)/sample-data/corpus/northfold/notes"], to: made.id)
        let corpus = try store.corpus(named: "northfold")
        let task = try TestSetPlan(count: 12).task(of: corpus, in: store)
        #expect(task.samples.count > 4)
        let order = EvalOrder(task: task, solver: Quoting(), options: EvalOptions(usesCache: false))
        let run = try EvalRunner(order, workspace: workspace).run()
        #expect(run.metrics.first?.value == 1)
        let log = try EvalStore(workspace).log(named: run.key)
        let set = try TestSet(log, ratings: [])
        let kept = set.questions.cases.count + set.dropped.reduce(0) { $0 + $1.count }
        #expect(kept == task.samples.count)
        #expect(!set.questions.isEmpty)
        for question in set.questions.cases {
            let gold = question.gold[0]
            let document = try #require(try store.documents(named: gold.document, of: corpus.id).first)
            let bytes = Array(try store.text(of: document.id).utf8)
            let quote = String(decoding: bytes[try #require(gold.range)], as: UTF8.self)
            #expect(quote.split(whereSeparator: \.isWhitespace).count == 8)
            let sample = try #require(task.samples.first { question.question.contains("that \($0.id) concerns") })
            let text = sample.fields["text"]?.string ?? ""
            #expect(
                text.split(whereSeparator: \.isWhitespace).prefix(8) == quote.split(whereSeparator: \.isWhitespace)[...]
            )
        }
    }
}
