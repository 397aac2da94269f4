public import System

/// Questions with what should be found for them: a set to evaluate pipelines on.
///
/// As a file it is JSON lines: `{"id": "q1", "question": "…", "gold": [{"document": "manual.md", "start": 120, "end":
/// 180}]}`, or with `{"document": "manual.md", "grade": 2}` where whole documents are gold.
public struct QuestionSet: Equatable, Sendable {
    /// A document, or part of one, that should be found.
    public struct Gold: Hashable, Sendable {
        public var document: String
        /// Offsets into the document's text, in UTF-8 bytes; `nil` for the whole document.
        public var range: Range<Int>?
        /// 1 for relevant; higher is better.
        public var grade: Int

        public init(_ document: String, range: Range<Int>? = nil, grade: Int = 1) {
            self.document = document
            self.range = range
            self.grade = grade
        }
    }

    /// A question with its gold.
    public struct Case: Hashable, Sendable, Identifiable {
        public var id: String
        public var question: String
        public var gold: [Gold]

        public init(id: String, question: String, gold: [Gold]) {
            self.id = id
            self.question = question
            self.gold = gold
        }
    }

    public private(set) var cases: [Case] = []

    public init() {}

    public var isEmpty: Bool { cases.isEmpty }

    /// Adds a case.
    ///
    /// - Throws: `Problem` if the id is taken, gold is empty, or a range or grade is invalid.
    public mutating func append(_ new: Case) throws(Problem) {
        guard !cases.contains(where: { $0.id == new.id }) else {
            throw Problem(.invalid, "case \(new.id)", "duplicate id", remedy: "Give each case a unique id.")
        }
        try Self.check(new)
        cases.append(new)
    }

    /// Adds cases whose names were found to differ.
    mutating func append(checked new: [Case]) { cases += new }

    /// A name that no case has: `q7` after six.
    public var nextID: String {
        let names = Set(cases.map(\.id))
        var number = cases.count + 1
        while names.contains("q\(number)") { number += 1 }
        return "q\(number)"
    }

    static func check(_ one: Case) throws(Problem) {
        let place = "case \(one.id)"
        guard !one.question.isEmpty else {
            throw Problem(.missing, place, "the question is missing", remedy: "Add one.")
        }
        guard !one.gold.isEmpty else {
            throw Problem(
                .missing, place, "gold is empty", remedy: "Name a document, or part of one, that answers the question.")
        }
        for gold in one.gold {
            guard gold.grade > 0, gold.grade <= 1_000 else {
                throw Problem(
                    .invalid, place, "grade \(gold.grade) of \(gold.document) is out of range", remedy: "Use 1 to 1000."
                )
            }
            if let range = gold.range, range.isEmpty || range.lowerBound < 0 {
                throw Problem(
                    .missing, place, "part \(range) of \(gold.document) is empty",
                    remedy: "The end must be after the start.")
            }
        }
    }

    /// The grades of documents: the best of a document's parts.
    public var judgments: Judgments {
        var judgments = Judgments()
        for one in cases {
            for gold in one.gold {
                let grade = max(gold.grade, judgments[one.id][gold.document] ?? 0)
                judgments.judge(gold.document, for: one.id, grade: grade)
            }
        }
        return judgments
    }
}
