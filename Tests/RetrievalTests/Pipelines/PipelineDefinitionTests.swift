import Retrieval
import System
import Testing

@Suite("Pipeline files")
struct PipelineDefinitionTests {
    @Test("an empty file is a hybrid search")
    func empty() throws {
        let definition = try PipelineDefinition("", path: "folder/hybrid.toml")
        #expect(definition.name == "hybrid")
        #expect(definition.lexical.map(\.k) == [50] && definition.dense.map(\.k) == [50])
        #expect(definition.fusion.method == .reciprocalRank && definition.fusion.k == 60)
        #expect(definition.rerank.method == .none)
        #expect(definition.context.budget == 2_000)
        #expect(definition.toml.isEmpty)
    }

    @Test("the file with every key explained equals the empty file")
    func explained() throws {
        let all = try PipelineDefinition(PipelineDefinition.explained)
        let none = try PipelineDefinition("")
        #expect(all.digest == none.digest)
        #expect(try PipelineDefinition(all.toml) == all)
    }

    @Test("a definition is read as it was written")
    func roundTrip() throws {
        let text = """
            [pipeline]
            name = "wide \\"one\\""

            [filter]
            expression = "kind = 'manual'"

            [lexical]
            fields = ["title^2", "text"]
            k1 = 1.2

            [dense]
            k = 20

            [dense.wide]
            k = 80
            ef = 200

            [context]
            order = "edges"

            """
        let definition = try PipelineDefinition(text)
        #expect(definition.toml == text)
        #expect(definition.dense.map(\.name) == ["dense", "dense.wide"])
        #expect(definition.lexical[0].fields.map(\.weight) == [2, 1])
    }

    @Test("keys can be changed, and invalid values are refused")
    func changing() throws {
        let definition = try PipelineDefinition("[dense.wide]\nk = 80", path: "p.toml")
        let changed = try definition.changing("dense.k", to: "24")
        #expect(changed.dense.map(\.k) == [24, 80])
        #expect(try changed.changing("dense.k", to: nil).digest == definition.digest)
        #expect(try definition.changing("dense.wide.ef", to: "64").dense[1].ef == 64)
        #expect(try definition.changing("rerank.space", to: "mini LM").rerank.space == "mini LM")
        #expect(definition.value("dense.wide.k") == "80")
        #expect(definition.value("fusion.k") == "60.0")
        #expect(definition.value("dense.ef") == nil)
        #expect {
            try definition.changing("dense.k", to: "none")
        } throws: { "\($0)" == "p.toml: dense.k must be an integer from 1 to 100000, not none." }
    }

    @Test("the digest depends on the behavior, not on the wording")
    func digest() throws {
        let plain = try PipelineDefinition("")
        #expect(try PipelineDefinition("[pipeline]\nname = \"x\"\n[dense]\nk = 50").digest == plain.digest)
        #expect(try PipelineDefinition("[dense]\nk = 51").digest != plain.digest)
    }

    @Test(
        "an error in a file names the line and a remedy",
        arguments: [
            ("[dense]\nkk = 3", "p.toml, line 2: unknown key \"dense.kk\". Did you mean \"dense.k\"?"),
            ("k = 3", "p.toml, line 1: unknown key \"k\". Did you mean \"lexical.k\", \"dense.k\", or \"fusion.k\"?"),
            ("[dens]\nk = 3", "p.toml, line 1: unknown section [dens]. Did you mean \"dense\"?"),
            ("\n[lexical]\nk = \"many\"", "p.toml, line 3: lexical.k must be an integer from 1 to 100000."),
            (
                "[fusion]\nmethod = \"rff\"",
                "p.toml, line 2: fusion.method must be \"rrf\", \"weighted\", or \"min-max\". "
                    + "Did you mean \"rrf\"?"
            ),
            (
                "[fusion.more]\nk = 1",
                "p.toml, line 1: [fusion] cannot have subsections. Only [lexical] and [dense] can."
            ),
            (
                "[dense.wide]\neff = 1",
                "p.toml, line 2: unknown key \"dense.wide.eff\". Did you mean \"dense.wide.ef\"?"
            ),
            ("dense = 3", "p.toml, line 1: dense is a section. Write [dense], with its keys on the lines below."),
            (
                "[rerank]\nmethod = \"cross-encoder\"",
                "p.toml, line 2: rerank.method \"cross-encoder\" needs a model. Set rerank.model."
            ),
            (
                "[answer]\nprompt = \"{context}\"",
                "p.toml, line 2: answer.prompt must contain {context} and {question}. Add both placeholders."
            ),
            (
                "[lexical]\nenabled = false\n[dense]\nenabled = false",
                "p.toml, line 4: no search stage is enabled. Enable [lexical] or [dense]."
            ),
        ])
    func wrong(text: String, sentence: String) {
        #expect {
            try PipelineDefinition(text, path: "p.toml")
        } throws: { ($0 as? Problem)?.sentence == sentence }
    }

    @Test("invalid TOML is an error with its line")
    func noTOML() {
        #expect {
            try PipelineDefinition("[dense]\nk = = 3", path: "p.toml")
        } throws: { "\($0)".hasPrefix("p.toml, line 2: invalid TOML") }
    }

    @Test(
        "every word of a choice is accepted",
        arguments: [
            ("fusion.method", ["rrf", "weighted", "min-max"]), ("rerank.method", ["none", "mmr", "maxsim"]),
            ("context.unit", ["tokens", "characters"]), ("context.order", ["score", "edges", "document"]),
            ("lexical.phrases", ["required", "ignored"]), ("context.expand", ["none", "parent"]),
            ("rerank.style", ["pointwise", "listwise"]),
        ])
    func choices(key: String, words: [String]) throws {
        for word in words {
            #expect(try PipelineDefinition("").changing(key, to: word).value(key) == "\"\(word)\"")
        }
        for word in ["cross-encoder", "language-model"] where key == "rerank.method" {
            let changed = try PipelineDefinition("[rerank]\nmodel = \"m\"").changing(key, to: word)
            #expect(changed.rerank.method.rawValue == word)
        }
    }
}
