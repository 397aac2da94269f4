import Configuration
import System
import Testing

@Suite("Schemas of TOML tables")
struct SchemaTests {
    private struct Recipe: Equatable {
        var name = "plain"
        var seed: UInt64 = 0
        var rate = 0.5
        var kind = "cold"
        var limits = Limits()

        struct Limits: Equatable {
            var weight: UInt8 = 1
        }
    }

    private static var schema: Schema<Recipe> {
        var schema = Schema<Recipe>()
        schema.key("name", \.name, help: "Name of the recipe.")
        schema.table("limits", \.limits, help: "Limits.") { table in
            table.key("weight", \.weight, in: 0...200, help: "Weight of an answer.")
        }
        schema.key("seed", \.seed, in: 0...UInt64(Int.max), help: "Seed.")
        schema.key("rate", \.rate, in: 0...1, help: "Learning rate.")
        schema.key("kind", \.kind, among: ["cold", "warm", "hot"], help: "Kind.")
        schema.other("sources", help: "Read by the caller.")
        return schema
    }

    private func read(_ text: String) throws(Problem) -> Recipe {
        var recipe = Recipe()
        try Self.schema.read(TOMLSection(parsing: text, file: "a.toml"), into: &recipe)
        return recipe
    }

    @Test("missing keys leave the value unchanged, and keys of the caller are allowed") func defaults() throws {
        #expect(try read("sources = 3") == Recipe())
        #expect(try read("rate = 1\n[limits]\nweight = 200").rate == 1)
    }

    @Test("written values are read back") func roundTrip() throws {
        var recipe = Recipe()
        recipe.name = "a \"b\"\n\\ \u{1}"
        (recipe.seed, recipe.rate, recipe.kind, recipe.limits.weight) = (UInt64(Int.max), 0.1, "hot", 9)
        let text = Self.schema.write(recipe)
        #expect(try read(text) == recipe)
        #expect(text.hasSuffix("kind = \"hot\"\n\n[limits]\nweight = 9\n"))
    }

    @Test("help lists the keys in the order of declaration") func help() {
        #expect(Self.schema.names == ["name", "limits", "seed", "rate", "kind", "sources"])
        #expect(Self.schema.help.hasPrefix("name  Name of the recipe.\nlimits  Limits.\n"))
    }

    @Test(
        "an error names file, table, and key, and what is allowed",
        arguments: [
            ("nam = \"x\"", "a.toml: unknown key nam. Did you mean \"name\"?"),
            (
                "zzzzzzzz = 1", "a.toml: unknown key zzzzzzzz. Keys: name, limits, seed, rate, kind, sources."
            ),
            ("name = 1", "a.toml: name must be a string in quotes."),
            ("seed = -1", "a.toml: seed must be an integer from 0 to 9223372036854775807."),
            ("rate = 1.5", "a.toml: rate must be a number from 0.0 to 1.0."),
            ("kind = \"mild\"", "a.toml: kind must be cold, warm, or hot."),
            ("limits = 1", "a.toml: limits must be a table."),
            ("[limits]\nweight = 201", "a.toml, [limits]: weight must be an integer from 0 to 200."),
            ("[limits]\nweigt = 1", "a.toml, [limits]: unknown key weigt. Did you mean \"weight\"?"),
            ("name = \"x\"\nrate = = 1\n", "a.toml: line 2: invalid TOML"),
        ])
    func errors(text: String, sentence: String) {
        do {
            _ = try read(text)
            Issue.record("the text was accepted")
        } catch { #expect(error.sentence.hasPrefix(sentence)) }
    }
}
