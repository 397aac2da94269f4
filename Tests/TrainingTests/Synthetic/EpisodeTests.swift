import JSON
import Testing
import Training

@Suite struct EpisodeTests {
    private static func lines(_ count: Int) throws -> [[Substring]] {
        try SyntheticFixtures.documents(count, SyntheticFixtures.make())
            .filter { $0.source == "tools" }.map { $0.text.split(separator: "\n") }
    }

    @Test("every line follows the protocol") func protocolLines() throws {
        let heads = ["Document: ", "Question: ", "Thought: ", "Action: ", "Observation: ", "Answer: "]
        for lines in try Self.lines(400) {
            #expect(lines.filter { $0 == "Tools: calculator(expression), lookup(key), search(query)" }.count == 1)
            for line in lines where !line.hasPrefix("Tools: ") {
                #expect(heads.contains { line.hasPrefix($0) }, "\(line)")
            }
            #expect(lines.last?.hasPrefix("Answer: ") == true)
            for (index, line) in lines.enumerated() where line.hasPrefix("Action: ") {
                #expect(lines[index - 1].hasPrefix("Thought: "))
                #expect(lines[index + 1].hasPrefix("Observation: "))
                let action = try JSONDocument(parsing: String(line.dropFirst(8)))
                action.withRoot { root in
                    #expect(root["tool"]?.string != nil)
                    #expect(root["arguments"]?.kind == .object)
                    #expect(root["arguments"]?.count == 1)
                }
            }
        }
    }

    @Test("an independent interpreter reproduces every episode") func reproducedPaths() throws {
        let set = try EvaluationSet(SyntheticFixtures.make())
        #expect(set.episodes.count == 60)
        for episode in set.episodes {
            var known = episode.documents + [episode.question]
            for step in episode.steps {
                let table = Dictionary(uniqueKeysWithValues: episode.world.table.map { ($0.key, $0.value) })
                switch step.tool {
                case "calculator": #expect(LittleInterpreter.calculate(step.value) == step.observation)
                case "lookup":
                    if let value = table[step.value] {
                        #expect(value == step.observation)
                    } else {
                        #expect(step.observation.hasPrefix("no entry for \(step.value)"))
                    }
                case "search": #expect(episode.world.documents.contains(step.observation))
                default: #expect(step.isMistake, "\(step.tool)")
                }
                // Numbers of a calculation stand in what was read before: nothing is made up.
                if step.tool == "calculator" {
                    for number in step.value.split(whereSeparator: { !$0.isNumber }) {
                        #expect(known.contains { $0.contains(number) }, "\(number)")
                    }
                }
                known.append(step.observation)
            }
            #expect(known.contains { $0.contains(episode.answer) }, "\(episode)")
            #expect(episode.thought.contains(episode.answer))
        }
    }

    @Test("every kind of episode occurs") func everyKind() throws {
        var kinds: Set<Episode.Kind> = []
        for episode in try EvaluationSet(SyntheticFixtures.make()).episodes { kinds.insert(episode.kind) }
        #expect(kinds == Set(Episode.Kind.allCases).subtracting([.repair]))
        let repairs = try Self.lines(400).filter { $0.contains { $0.hasPrefix("Observation: error: ") } }
        #expect(!repairs.isEmpty)
    }

    @Test(
        "the world's tools answer as the real ones",
        arguments: [
            ("height of Velador", "210"), ("HEIGHT  of velador ", "210"), ("age of Kiro", "no entry for age of Kiro"),
            ("height of Velodor", "no entry for height of Velodor; near: height of Velador"),
        ])
    func lookup(key: String, answer: String) {
        var world = EpisodeWorld()
        world.table = [.init(key: "height of Velador", value: "210"), .init(key: "moon", value: "1")]
        #expect(world.lookup(key) == answer)
    }

    @Test("search returns the best document") func bestDocument() {
        var world = EpisodeWorld()
        world.documents = [
            "Velador lives in Tanaford.", "Velador was taught by Kirodan.", "Moradan lives in Velowick.",
        ]
        #expect(world.search("who taught Velador") == "Velador was taught by Kirodan.")
        #expect(world.search("where Moradan lives") == "Moradan lives in Velowick.")
        #expect(world.search("xyz") == "no document matches xyz")
    }

    @Test(
        "integers are calculated, anything else is not",
        arguments: [
            ("12 * 7", 84), ("(2 + 3) * 4", 20), ("2 + 3 * 4", 14), ("7 - 12", -5), ("12 *", nil), ("12 x 7", nil),
            ("9223372036854775807 + 1", nil), ("((((", nil), ("", nil),
        ])
    func calculate(expression: String, value: Int?) { #expect(EpisodeWorld.calculate(expression) == value) }

    @Test("prompts have a low weight, and mistakes have none") func weights() throws {
        var recipe = try SyntheticFixtures.make()
        recipe.weights.prompt = 7
        var generator = SyntheticGenerator(recipe)
        let source = try #require(recipe.sources.firstIndex { $0.name == "tools" })
        for number in 0..<200 {
            let segments = try generator.document(source: source, number: number).segments
            for (index, segment) in segments.enumerated() {
                if segment.text.hasPrefix("Question: ") || segment.text.hasPrefix("Document: ") {
                    #expect(segment.weight == 7)
                }
                if index > 0, segments[index - 1].text == "Observation:" { #expect(segment.weight == 0) }
                if segment.text.hasPrefix("Answer:") || segment.text.hasPrefix("Thought:") {
                    #expect(segment.weight == 100)
                }
                let fails = index + 2 < segments.count && segments[index + 2].text.hasPrefix(" error: ")
                if segment.text.hasPrefix("Action: ") { #expect(segment.weight == (fails ? 0 : 100)) }
            }
        }
    }
}
