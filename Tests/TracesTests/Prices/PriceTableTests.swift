import LanguageModels
import System
import Testing
import Traces

@Suite("Prices")
struct PriceTableTests {
    private let table = try? PriceTable(
        toml: """
            as_of = "2026-01-01"
            source = "a test"
            [models]
            "small" = { input = 1.0, output = 10 }
            "cached" = { input = 1.0, output = 10.0, cache_read = 0.1, cache_write = 2.0, cache_write_1h = 4.0 }
            [models."stepped"]
            input = 1.0
            output = 2.0
            long_context = { above = 100, input = 10.0, output = 20.0 }
            """)

    private func cost(_ usage: Usage, _ model: String, long: Int = 0) -> Double? {
        table?.cost(of: usage, by: model, longCacheWrite: long).map { ($0 * 1e9).rounded() / 1e9 }
    }

    @Test("a cost is the sum of fresh, cached, written and answered tokens, each at its price")
    func sums() {
        let usage = Usage(input: 1_000_000, cacheRead: 300_000, cacheWrite: 200_000, output: 100_000)
        #expect(cost(usage, "cached") == 1.93)
        #expect(cost(usage, "cached", long: 50_000) == 2.03)
        #expect(cost(Usage(input: 1_000_000, output: 1), "small") == 1.00001)
    }

    @Test("a cost that needs an unlisted price is not guessed")
    func missingPrice() {
        #expect(cost(Usage(input: 100, cacheRead: 1), "small") == nil)
        #expect(cost(Usage(input: 100, output: 1), "large") == nil)
        #expect(cost(Usage(), "large") == 0)
    }

    @Test("a long input is priced as a whole by its own price")
    func longContext() {
        #expect(cost(Usage(input: 100, output: 100), "stepped") == 0.0003)
        #expect(cost(Usage(input: 101, output: 100), "stepped") == 0.003_01)
    }

    @Test(
        "a model is found by its identifier, with or without a date, and by nothing looser",
        arguments: [
            ("small", true), ("small-20250929", true), ("small-2024-08-06", true), ("small@20250514", true),
            ("Small", false), ("small-latest", false), ("smaller", false), ("small-2025", false),
            ("provider/small", false), ("-20250929", false), ("", false),
        ])
    func matching(model: String, found: Bool) {
        #expect((table?.price(of: model) != nil) == found)
    }

    @Test("an entry with a date comes before the one without")
    func exactFirst() {
        let old = PriceTable.builtIn.price(of: "gpt-4o-2024-05-13")
        #expect(old?.input == 5)
        #expect(PriceTable.builtIn.price(of: "gpt-4o-2024-08-06")?.input == 2.5)
    }

    @Test("the built-in table is whole and dated")
    func builtIn() throws {
        let table = try PriceTable(toml: PriceTable.builtInText)
        #expect(table == PriceTable.builtIn)
        #expect(table.asOf == "2026-11-05")
        for model in [
            "claude-haiku-4-5", "claude-opus-4-6", "claude-sonnet-4-5", "gpt-4o", "gpt-4o-mini", "gpt-4.1", "o3",
            "claude-3-sonnet",
        ] {
            #expect(table.price(of: model) != nil, "\(model)")
        }
        for model in table.models {
            let price = try #require(table.price(of: model))
            #expect(price.output == 0 || price.output >= price.input, "\(model)")
            #expect((price.cacheRead ?? 0) < price.input, "\(model)")
        }
    }

    @Test("a person's own prices stand before the built-in ones")
    func overridden() throws {
        let own = try PriceTable(
            toml: #"models = { "gpt-4o" = { input = 1, output = 1 }, mine = { input = 2, output = 2 } }"#)
        let table = PriceTable.builtIn.overridden(by: own)
        #expect(table.price(of: "gpt-4o")?.input == 1)
        #expect(table.price(of: "mine")?.input == 2)
        #expect(table.price(of: "o3") == PriceTable.builtIn.price(of: "o3"))
    }

    @Test(
        "a wrong table says what is wrong",
        arguments: [
            (#"models = { a = { input = 1 } }"#, "the price of a must include both input and output"),
            (#"models = { a = { input = -1, output = 1 } }"#, "`input` of a is not a price"),
            (#"models = { a = { input = 1, output = 1, outptu = 2 } }"#, "the price of a has an unknown key `outptu`"),
            (#"models = 7"#, "`models` is not a table"),
            (
                #"models = { a = { input = 1, output = 1, long_context = { input = 1, output = 1 } } }"#,
                "`long_context` of a is missing `above`"
            ),
        ])
    func wrongTables(toml: String, problem: String) {
        do {
            _ = try PriceTable(toml: toml, path: "prices.toml")
            Issue.record("the table was taken")
        } catch {
            #expect(error.what == problem)
            #expect(error.sentence.hasPrefix("prices.toml: \(problem). Write a price as "))
        }
    }

    @Test("text that is no TOML names its line")
    func noTOML() {
        do {
            _ = try PriceTable(toml: "a = 1\nb = = 2\n", path: "prices.toml")
            Issue.record("the text was taken")
        } catch { #expect(error.subject.hasSuffix(", line 2")) }
    }
}
