internal import System
internal import Tensors

/// Short documents about freshly invented subjects, and questions whose answers stand in them.
///
/// Every document states the same relations of several subjects, so that a question is answered by reading which fact
/// belongs to which subject; nothing can be recalled, since subjects and values are new in every document.
struct ReadingSource {
    var subjects: ClosedRange<Int>
    var relations: ClosedRange<Int>
    var questions: ClosedRange<Int>
    /// The most facts of a document.
    var facts: Int
    /// Names of the relations that are used; empty: all.
    var only: [String] = []

    struct Fact: Hashable {
        var relation: Int
        var subject: String
        var value: String
        var sentence: String
    }

    /// A document, a question, its answer, and the same question for another document.
    struct Item {
        var documents: [String]
        var facts: [Fact]
    }

    /// Facts of new subjects, in the order of the text.
    func facts(_ expander: inout GrammarExpander) throws(Problem) -> [Fact] {
        let grammar = expander.grammar
        let usable = grammar.relations.indices.filter { only.isEmpty || only.contains(grammar.relations[$0].name) }
        guard let kind = Self.drawn(usable, &expander).map({ grammar.relations[$0].kind }),
            let names = grammar.names(named: kind)
        else { throw Problem(.missing, "reading", "the grammar has no relation to read about") }
        var ofKind = usable.filter { grammar.relations[$0].kind == kind }
        expander.random.shuffle(&ofKind)
        let people = expander.integer(subjects)
        let count = max(1, min(expander.integer(relations), ofKind.count, facts / max(1, people)))
        var subjectNames: [String] = []
        for _ in 0..<people { subjectNames.append(try expander.name(names)) }
        return try Self.facts(about: subjectNames, relations: Array(ofKind.prefix(count)), &expander)
    }

    /// New values of the same relations for the same subjects.
    static func facts(
        about subjects: [String], relations: [Int], avoiding old: [Fact] = [], _ expander: inout GrammarExpander
    ) throws(Problem) -> [Fact] {
        var facts: [Fact] = []
        for relation in relations {
            var taken = Set(old.lazy.filter { $0.relation == relation }.map(\.value))
            for subject in subjects {
                facts.append(try fact(relation, of: subject, taken: &taken, &expander))
            }
        }
        // Half of the documents go from subject to subject, the others from relation to relation.
        if expander.chance(0.5) {
            facts = subjects.flatMap { subject in facts.filter { $0.subject == subject } }
        }
        return facts
    }

    static func fact(
        _ relation: Int, of subject: String, taken: inout Set<String>, _ expander: inout GrammarExpander
    ) throws(Problem) -> Fact {
        let declared = expander.grammar.relations[relation]
        var value = try expander.value(declared.value)
        var attempts = 0
        while !taken.insert(value).inserted, attempts < 200 {
            value = try expander.value(declared.value)
            attempts += 1
        }
        expander.bind("subject", subject)
        expander.bind("value", value)
        let sentence = try expander.expand(oneOf: declared.facts)
        return Fact(relation: relation, subject: subject, value: value, sentence: sentence)
    }

    /// One line, or two where there are enough facts.
    static func lines(_ facts: [Fact], _ expander: inout GrammarExpander) -> [String] {
        let sentences = facts.map { $0.sentence + "." }
        guard sentences.count >= 4, expander.chance(0.5) else { return [sentences.joined(separator: " ")] }
        let cut = sentences.count / 2
        return [sentences[..<cut].joined(separator: " "), sentences[cut...].joined(separator: " ")]
    }

    static func question(_ fact: Fact, _ expander: inout GrammarExpander) throws(Problem) -> String {
        expander.bind("subject", fact.subject)
        return try expander.expand(oneOf: expander.grammar.relations[fact.relation].questions)
    }

    func document(_ expander: inout GrammarExpander, weights: LossWeights) throws(Problem) -> SyntheticDocument {
        let facts = try facts(&expander)
        var segments = Self.lines(facts, &expander).map {
            SyntheticDocument.Segment("Document: \($0)\n", weight: weights.prompt)
        }
        let order = expander.random.permutation(facts.count)
        for index in order.prefix(max(1, expander.integer(questions))) {
            let fact = facts[index]
            segments.append(.init("Question: \(try Self.question(fact, &expander))\n", weight: weights.prompt))
            segments.append(.init("Thought: \(fact.sentence).\nAnswer: \(fact.value)\n", weight: weights.answer))
        }
        var template: UInt64 = 0
        for fact in facts { template = TextHash.mixed(template ^ UInt64(fact.relation)) }
        return SyntheticDocument(segments: segments, template: template)
    }

    static func drawn(_ indices: [Int], _ expander: inout GrammarExpander) -> Int? {
        indices.isEmpty ? nil : indices[expander.integer(0...indices.count - 1)]
    }
}
