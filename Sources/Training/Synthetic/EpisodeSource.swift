internal import System
internal import Tensors

/// Episodes of tool use in the ReAct form: thought, action, observation, answer.
///
/// Every observation is what the tool answers in the episode's own world; no answer is made up.
struct EpisodeSource {
    /// Kinds with their weights.
    var kinds: [(kind: Episode.Kind, weight: Int)]
    /// Calculations of the held-out region alone, where `isHeldOut`; else none of them.
    var isHeldOut: Bool
    /// Subjects that a world tells of.
    var subjects: ClosedRange<Int> = 2...4

    func episode(_ expander: inout GrammarExpander) throws(Problem) -> Episode {
        let total = kinds.reduce(0) { $0 + $1.weight }
        guard total > 0 else { throw Problem(.missing, "episodes", "no kind of episode has a weight above 0") }
        var left = expander.integer(0...total - 1)
        for (kind, weight) in kinds {
            left -= weight
            if left < 0 { return try episode(kind, &expander) }
        }
        throw Problem(.missing, "episodes", "no kind of episode has a weight above 0")
    }

    func episode(_ kind: Episode.Kind, _ expander: inout GrammarExpander) throws(Problem) -> Episode {
        switch kind {
        case .calculate: try calculate(&expander)
        case .repair: try repair(&expander)
        case .lookup: try ask(.lookup, &expander)
        case .search: try ask(.search, &expander)
        case .fallback: try ask(.fallback, &expander)
        case .chain: try chain(&expander)
        case .total: try total(&expander)
        case .read: try read(&expander)
        case .readTotal: try readTotal(&expander)
        }
    }

    func document(_ expander: inout GrammarExpander, weights: LossWeights) throws(Problem) -> SyntheticDocument {
        try episode(&expander).document(weights)
    }

    // MARK: Calculations

    /// Whether an expression may be asked for here: training never sees one of the held-out region.
    func admits(_ expression: String, _ expander: borrowing GrammarExpander) -> Bool {
        expander.region.contains(expression) == isHeldOut
    }

    private func calculation(_ expander: inout GrammarExpander) throws(Problem) -> (
        expression: String, question: String
    ) {
        let problems = expander.grammar.problems
        let total = problems.reduce(0) { $0 + $1.weight }
        guard total > 0 else { throw Problem(.missing, "episodes", "the grammar has no problem") }
        for _ in 0..<2_000 {
            var left = expander.integer(0...total - 1)
            var chosen = problems[0]
            for problem in problems {
                left -= problem.weight
                if left < 0 {
                    chosen = problem
                    break
                }
            }
            var numbers = chosen.numbers.map { expander.integer($0) }
            // A smaller number first, now and then, is a negative difference: the calculator knows it, a shop does not.
            if numbers.count > 1, chosen.name.hasPrefix("less") { numbers.sort(by: >) }
            for (name, number) in zip(["a", "b", "c", "d"], numbers) { expander.bind(name, String(number)) }
            let expression = try expander.expand(oneOf: chosen.expressions)
            guard admits(expression, expander), EpisodeWorld.calculate(expression) != nil else { continue }
            return (expression, try expander.expand(oneOf: chosen.questions))
        }
        throw Problem(
            .missing, "episodes", "no calculations are left outside the held-out region",
            remedy: "Widen the number ranges of the problems.")
    }

    private func step(calculating expression: String) throws(Problem) -> Episode.Step {
        guard let value = EpisodeWorld.calculate(expression) else {
            throw Problem(.invalid, "episodes", "\"\(expression)\" is not a known calculation")
        }
        return Episode.Step(
            thought: "I calculate \(expression).", tool: "calculator", argument: "expression", value: expression,
            observation: String(value))
    }

    private func calculate(_ expander: inout GrammarExpander) throws(Problem) -> Episode {
        let (expression, question) = try calculation(&expander)
        let step = try step(calculating: expression)
        return Episode(
            kind: .calculate, question: question, steps: [step], thought: "The result is \(step.observation).",
            answer: step.observation)
    }

    private func repair(_ expander: inout GrammarExpander) throws(Problem) -> Episode {
        var episode = try calculate(&expander)
        episode.kind = .repair
        var wrong = episode.steps[0]
        wrong.isMistake = true
        if expander.chance(0.5), let place = wrong.value.firstIndex(of: "*") {
            wrong.value.replaceSubrange(place...place, with: "x")
            let character = wrong.value.distance(from: wrong.value.startIndex, to: place) + 1
            wrong.observation = "error: unexpected \"x\" at character \(character)"
        } else {
            wrong.tool = ["calc", "compute", "math"][expander.integer(0...2)]
            wrong.observation = "error: unknown tool \"\(wrong.tool)\"; tools are calculator, lookup, search"
        }
        episode.steps[0].thought = "That was an error. I calculate \(episode.steps[0].value)."
        episode.steps.insert(wrong, at: 0)
        return episode
    }

    // MARK: Worlds

    private typealias Fact = ReadingSource.Fact

    /// New subjects of a relation's kind, with facts of that relation and perhaps of others.
    private func facts(
        of relation: Int, subjects count: Int, others: Int, _ expander: inout GrammarExpander
    ) throws(Problem) -> (names: [String], facts: [Fact]) {
        let kind = expander.grammar.relations[relation].kind
        guard let names = expander.grammar.names(named: kind) else {
            throw Problem(.missing, "episodes", "the grammar has no names \(kind)")
        }
        var subjects: [String] = []
        for _ in 0..<count { subjects.append(try expander.name(names)) }
        var more = expander.grammar.relations.indices.filter {
            $0 != relation && expander.grammar.relations[$0].kind == kind
        }
        expander.random.shuffle(&more)
        let facts = try ReadingSource.facts(about: subjects, relations: [relation] + more.prefix(others), &expander)
        return (subjects, facts)
    }

    private func words(
        _ alternative: Grammar.Alternative?, _ subject: String, _ expander: inout GrammarExpander
    ) throws(Problem) -> String {
        guard let alternative else {
            throw Problem(.invalid, "episodes", "a relation needs a noun, a key, and a query")
        }
        expander.bind("subject", subject)
        return try expander.expand(alternative)
    }

    /// A table of the facts that are numbers, and documents of all of them or of those that are not.
    private func world(
        _ facts: [Fact], without missing: Fact? = nil, _ expander: inout GrammarExpander
    ) throws(Problem) -> EpisodeWorld {
        var world = EpisodeWorld()
        for fact in facts {
            let relation = expander.grammar.relations[fact.relation]
            if relation.tool == .lookup, fact != missing {
                world.table.append(.init(key: try words(relation.key, fact.subject, &expander), value: fact.value))
            }
            if relation.tool == .search || fact == missing { world.documents.append(fact.sentence + ".") }
        }
        return world
    }

    private func step(
        lookup fact: Fact, after thought: String = "", _ world: EpisodeWorld, _ expander: inout GrammarExpander
    ) throws(Problem) -> Episode.Step {
        let key = try words(expander.grammar.relations[fact.relation].key, fact.subject, &expander)
        return Episode.Step(
            thought: "\(thought)I look up the \(key).", tool: "lookup", argument: "key", value: key,
            observation: world.lookup(key))
    }

    private func step(
        search fact: Fact, thought: String = "I search for", _ world: EpisodeWorld, _ expander: inout GrammarExpander
    ) throws(Problem) -> Episode.Step {
        let query = try words(expander.grammar.relations[fact.relation].query, fact.subject, &expander)
        return Episode.Step(
            thought: "\(thought) \(query).", tool: "search", argument: "query", value: query,
            observation: world.search(query))
    }

    private func relation(
        _ expander: inout GrammarExpander, where matches: (Relation) -> Bool
    ) throws(Problem) -> Int {
        let fitting = expander.grammar.relations.indices.filter { matches(expander.grammar.relations[$0]) }
        guard let drawn = ReadingSource.drawn(fitting, &expander) else {
            throw Problem(.missing, "episodes", "the grammar has no relation for this kind of episode")
        }
        return drawn
    }

    // MARK: Kinds

    private func ask(_ kind: Episode.Kind, _ expander: inout GrammarExpander) throws(Problem) -> Episode {
        for _ in 0..<100 {
            let relation = try relation(&expander) { $0.tool == (kind == .search ? .search : .lookup) }
            let (_, facts) = try facts(
                of: relation, subjects: expander.integer(subjects), others: expander.integer(0...1), &expander)
            guard let fact = facts.filter({ $0.relation == relation }).randomElement(using: &expander.random) else {
                continue
            }
            let world = try world(facts, without: kind == .fallback ? fact : nil, &expander)
            var steps: [Episode.Step] = []
            var thought = fact.sentence + "."
            if kind != .search { steps.append(try step(lookup: fact, world, &expander)) }
            if kind == .lookup { thought = "The \(steps[0].value) is \(fact.value)." }
            if kind == .search { steps.append(try step(search: fact, world, &expander)) }
            if kind == .fallback {
                steps.append(try step(search: fact, thought: "There is no entry. I search for", world, &expander))
            }
            // The search finds what is asked for, or this world is passed over.
            guard kind == .lookup || steps.last?.observation == fact.sentence + "." else {
                expander.begin(expander.random)
                continue
            }
            return Episode(
                kind: kind, question: try ReadingSource.question(fact, &expander), steps: steps, thought: thought,
                answer: fact.value, world: world)
        }
        throw Problem(
            .missing, "episodes", "no search found its document", remedy: "Use words from the facts in their queries.")
    }

    private func chain(_ expander: inout GrammarExpander) throws(Problem) -> Episode {
        for _ in 0..<100 {
            expander.begin(expander.random)
            let grammar = expander.grammar
            let first = try relation(&expander) { relation in
                guard relation.tool == .search, relation.noun != nil, case .names(let index) = relation.value else {
                    return false
                }
                return grammar.relations.contains { $0.tool == .lookup && $0.kind == grammar.names[index].name }
            }
            guard case .names(let index) = grammar.relations[first].value else { continue }
            let second = try relation(&expander) { $0.tool == .lookup && $0.kind == grammar.names[index].name }
            let (_, firstFacts) = try facts(of: first, subjects: expander.integer(subjects), others: 0, &expander)
            let secondFacts = try ReadingSource.facts(about: firstFacts.map(\.value), relations: [second], &expander)
            let world = try world(firstFacts + secondFacts, &expander)
            let fact = firstFacts[expander.integer(0...firstFacts.count - 1)]
            guard let found = secondFacts.first(where: { $0.subject == fact.value }) else { continue }
            let search = try step(search: fact, world, &expander)
            guard search.observation == fact.sentence + "." else { continue }
            let lookup = try step(lookup: found, after: "\(fact.sentence). ", world, &expander)
            let noun = try words(grammar.relations[first].noun, fact.subject, &expander)
            expander.bind("subject", noun)
            let question = try expander.expand(oneOf: grammar.relations[second].questions)
            return Episode(
                kind: .chain, question: question, steps: [search, lookup],
                thought: "The \(lookup.value) is \(found.value).", answer: found.value, world: world)
        }
        throw Problem(
            .missing, "episodes", "no search found its document", remedy: "Use words from the facts in their queries.")
    }

    /// Two facts of one relation whose sum or difference is asked for.
    private func pair(
        _ expander: inout GrammarExpander
    ) throws(Problem) -> (facts: [Fact], first: Fact, second: Fact, question: String, expression: String) {
        for _ in 0..<200 {
            expander.begin(expander.random)
            let relation = try relation(&expander) { $0.tool == .lookup && $0.isNumber }
            let (_, facts) = try facts(of: relation, subjects: expander.integer(subjects), others: 0, &expander)
            guard facts.count >= 2 else { continue }
            let order = expander.random.permutation(facts.count)
            let first = facts[order[0]]
            let second = facts[order[1]]
            let isSum = expander.chance(0.5)
            let expression = "\(first.value) \(isSum ? "+" : "-") \(second.value)"
            guard admits(expression, expander) else { continue }
            let keys = (
                try words(expander.grammar.relations[relation].key, first.subject, &expander),
                try words(expander.grammar.relations[relation].key, second.subject, &expander)
            )
            let question = "What is the \(keys.0) \(isSum ? "plus" : "minus") the \(keys.1)?"
            return (facts, first, second, question, expression)
        }
        throw Problem(.missing, "episodes", "no calculations are left outside the held-out region")
    }

    private func total(_ expander: inout GrammarExpander) throws(Problem) -> Episode {
        let pair = try pair(&expander)
        let world = try world(pair.facts, &expander)
        let first = try step(lookup: pair.first, world, &expander)
        let second = try step(lookup: pair.second, world, &expander)
        let last = try step(calculating: pair.expression)
        return Episode(
            kind: .total, question: pair.question, steps: [first, second, last],
            thought: "The result is \(last.observation).", answer: last.observation, world: world)
    }

    private func read(_ expander: inout GrammarExpander) throws(Problem) -> Episode {
        let source = ReadingSource(subjects: 2...3, relations: 1...2, questions: 1...1, facts: 5)
        let facts = try source.facts(&expander)
        let fact = facts[expander.integer(0...facts.count - 1)]
        return Episode(
            kind: .read, documents: ReadingSource.lines(facts, &expander),
            question: try ReadingSource.question(fact, &expander), thought: fact.sentence + ".", answer: fact.value)
    }

    private func readTotal(_ expander: inout GrammarExpander) throws(Problem) -> Episode {
        let pair = try pair(&expander)
        var step = try step(calculating: pair.expression)
        step.thought = "\(pair.first.sentence). \(pair.second.sentence). \(step.thought)"
        return Episode(
            kind: .readTotal, documents: ReadingSource.lines(pair.facts, &expander), question: pair.question,
            steps: [step], thought: "The result is \(step.observation).", answer: step.observation)
    }
}
