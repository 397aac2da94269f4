import System
import Testing
import Training

@Suite struct GrammarTests {
    private func story(_ grammar: String, seed: UInt64 = 1, number: Int = 0) throws -> String {
        let recipe = "seed = \(seed)\ngrammar = \"g\"\n[sources.story]\nkind = \"grammar\""
        var generator = SyntheticGenerator(try SyntheticFixtures.make(recipe: recipe, grammar: grammar))
        return try generator.document(source: 0, number: number).text
    }

    @Test(
        "a slot writes, binds, agrees, capitalizes and differs",
        arguments: [
            ("story: {x = one} and {x}\none: 1", "1 and 1\n"),
            ("story: {let x = one}[{x}]\none: 1", "[1]\n"),
            ("story: {let x = her}{x} {x.they} {^x.they}\nher:\n  Mo <they=she>", "Mo she She\n"),
            ("story: {x = two} {two but x}\ntwo: a | a | a", "a a\n"),
            ("story: {7..7}", "7\n"),
            ("story:\n  a\\nb", "a\nb\n"),
            ("story: {x = deep} {x.they}\ndeep:\n  {one}\none:\n  Mo <they=she>", "Mo she\n"),
        ])
    func slots(grammar: String, text: String) throws {
        #expect(try story(grammar) == text)
    }

    @Test("but gives a different value") func differentValue() throws {
        for number in 0..<50 {
            let words = try story("story: {x = two} {two but x}\ntwo: a | b", number: number).split(separator: " ")
            #expect(words[0] != words[1].dropLast())
        }
    }

    @Test("alternatives occur in proportion to their weights") func weightedAlternatives() throws {
        let grammar = "story:\n  [3] a\n  b"
        let hits = try (0..<2_000).count { try story(grammar, number: $0) == "a\n" }
        // 1500 expected, deviation 19.4.
        #expect((1_400...1_600).contains(hits))
    }

    @Test("names are unique in a document and start differently") func uniqueNames() throws {
        let recipe = try SyntheticFixtures.make()
        for document in try SyntheticFixtures.documents(40, recipe) where document.source == "reading" {
            let lines = document.text.split(separator: "\n").filter { $0.hasPrefix("Document: ") }
            let sentences = lines.joined(separator: ".").split(separator: ".")
            let subjects = Set(sentences.compactMap { $0.split(separator: " ").first { $0 != "Document:" } })
            #expect(subjects.count >= 2, "\(lines)")
            #expect(Set(subjects.map { $0.prefix(3) }).count == subjects.count)
        }
    }

    @Test(
        "an error in a grammar is reported with its line",
        arguments: [
            ("story: {nothing}", "g, line 1: {nothing} is not a rule, names, or a bound variable."),
            (
                "story: {colr}\ncolor: red",
                "g, line 1: {colr} is not a rule, names, or a bound variable. Did you mean \"{color}\"?"
            ),
            ("story: {a", "g, line 1: unclosed {."),
            ("  indented", "g, line 1: an indented line must follow a rule, a relation, or a problem."),
            ("story: a\nstory: b", "g, line 2: duplicate name story, first defined on line 1."),
            ("story:", "g: the rule story has no alternative."),
            ("story: a\nnames p: first", "g, line 2: unknown syllable list first. Define it above this line."),
            ("story: a\nrelation home", "g, line 2: invalid relation. Example: relation home of person."),
            ("problem p\n  numbers: 9..2", "g, line 2: 9..2 is not a range such as 2..99."),
            ("problem p\n  number: 9", "g, line 2: unknown field number in a problem. Did you mean \"numbers\"?"),
            (
                "story: {let story = a}\na: b",
                "g, line 1: {let story = a} binds story, which is the name of a rule. Choose a different name."
            ),
            ("just words", "g, line 1: a rule must start with its name and a colon, such as story:."),
        ])
    func wrongGrammar(text: String, sentence: String) {
        #expect(throws: Problem.self) { try Grammar(parsing: text, file: "g") }
        do { _ = try Grammar(parsing: text, file: "g") } catch { #expect(error.sentence == sentence) }
    }

    @Test("endless recursion of rules is an error") func endlessRules() throws {
        do {
            _ = try story("story: {story}")
            Issue.record("it came to an end")
        } catch let error as Problem {
            #expect(error.sentence.hasPrefix("rule story: rules are nested deeper than 64."))
        }
    }

    @Test(
        "an error in a recipe is reported",
        arguments: [
            ("gramar = \"g\"", "town.toml: unknown key gramar. Did you mean \"grammar\"?"),
            ("name = \"x\"", "town.toml: grammar is missing."),
            ("grammar = \"g\"", "town.toml: missing source. Add [sources.stories] with a kind."),
            (
                "grammar = \"g\"\n[sources.a]\nkind = \"x\"",
                "town.toml, [sources.a]: kind must be grammar, reading, copying, or episodes."
            ),
            (
                "grammar = \"g\"\n[sources.a]\nkind = \"grammar\"\nrule = \"stori\"",
                "town.toml, [sources.a]: the grammar has no rule stori. Did you mean \"story\"?"
            ),
            (
                "grammar = \"g\"\ntokens = -1\n[sources.a]\nkind = \"reading\"",
                "town.toml: tokens must be an integer from 1000 to 2000000000."
            ),
            (
                "grammar = \"g\"\n[sources.a]\nkind = \"reading\"\nsubjects = [4, 2]",
                "town.toml, [sources.a]: subjects must be a minimum and a maximum, such as [2, 4], from 1 to 64."
            ),
            (
                "grammar = \"g\"\n[sources.a]\nkind = \"episodes\"",
                "town.toml, [sources.a]: no kind of episode has a weight above 0. Kinds: calculate, "
                    + "lookup, search, fallback, chain, total, read, read-total, repair."
            ),
        ])
    func wrongRecipe(text: String, sentence: String) {
        do throws(Problem) {
            _ = try SyntheticFixtures.make(recipe: text)
            Issue.record("it was read")
        } catch { #expect(error.sentence == sentence) }
    }
}
