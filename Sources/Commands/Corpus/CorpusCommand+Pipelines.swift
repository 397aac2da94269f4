import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Retrieval
import System
import Tables
import Workspace

extension CorpusCommand {
    struct Pipeline: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pipeline",
            abstract: "List or show pipelines, or save a file as a new version.",
            discussion: "--defaults prints a pipeline file with every key, its meaning, and its default.")

        @Argument(help: "Pipeline NAME or NAME@VERSION (default: list pipelines).")
        var name: String?

        @Option(help: "TOML file to save as the next version of NAME.", completion: .file(extensions: ["toml"]))
        var save: String?

        @Flag(help: "Remove all versions of NAME.")
        var remove = false

        @Flag(help: "Print a pipeline file with every key.")
        var defaults = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: TableOptions

        func validate() throws {
            if save != nil || remove, name == nil {
                throw ValidationError("NAME is required with --save and --remove.")
            }
        }

        func run() throws {
            try answering {
                if defaults { return Output.result(PipelineDefinition.explained) }
                if let name, let save { return try keep(save, as: name) }
                if let name, remove {
                    try CorpusStore(try place.openExisting()).removePipeline(name)
                    return Output.result("removed \(name)")
                }
                if let name { return try show(name) }
                try list()
            }
        }

        private func keep(_ path: String, as name: String) throws {
            let retriever = Retriever(try place.open())
            let definition = try PipelineDefinition(contentsOf: path)
            let kept = try retriever.save(definition, as: name)
            Output.result("\(kept.name) v\(kept.version ?? 1)")
        }

        private func show(_ name: String) throws {
            let retriever = Retriever(try place.openForReading())
            let found = try retriever.pipeline(named: name)
            let toml = found.definition.toml
            try Report(
                object: {
                    $0.member("name", found.name)
                    $0.member("version", ifPresent: found.version)
                    $0.member("toml", toml)
                }
            ) { toml.isEmpty ? "# all defaults; see orrery corpus pipeline --defaults" : toml }.print(as: output.form)
        }

        private func list() throws {
            let stored = place.isUnused ? [] : try CorpusStore(try place.openForReading()).pipelines()
            let hasStandard = stored.contains { $0.name == Retriever.standardName }
            let standard = [Retriever.standardName, "–", "words and vectors, combined by rank fusion"]
            let rows = stored.map { one in
                let definition = try? PipelineDefinition(one.toml, path: one.name)
                return [one.name, String(one.version), definition?.summary ?? ""]
            }
            var listing = Listing(hasStandard ? rows : [standard] + rows, "pipelines") { table in
                table.text("pipeline") { $0[0] }
                table.text("version", align: .right) { $0[1] }
                table.text("description") { $0[2] }
            }
            let versions = Columns<PipelineVersion> { table in
                table.member("name", \.name)
                table.member("version", \.version)
            }
            listing.json = JSONObject { $0.member("pipelines", versions.records(stored)) }
            try listing.print(as: output.form)
        }
    }

    struct Questions: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "questions",
            abstract: "List or show question sets, or import one.")

        @Argument(help: "Question set name (default: list sets).")
        var name: String?

        @Option(
            name: .customLong("import"), help: "JSON Lines file or BEIR folder to import as NAME.",
            completion: .file())
        var file: String?

        @Flag(help: "Remove the set.")
        var remove = false

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: TableOptions

        func validate() throws {
            if file != nil || remove, name == nil {
                throw ValidationError("NAME is required with --import and --remove.")
            }
        }

        func run() throws {
            try answering {
                let isReading = file == nil && !remove
                let retriever = Retriever(try isReading ? place.openForReading() : place.openExisting())
                let found = try corpus.find(in: retriever.store)
                if let name, let file {
                    let set = try retriever.questions(file, of: found)
                    _ = try retriever.store.saveQuestions(set, as: name, corpus: found.id)
                    return Output.result("\(name): \(Format.count(set.cases.count)) questions")
                }
                if let name, remove {
                    guard let known = try retriever.store.questionSets(of: found.id).first(where: { $0.name == name })
                    else {
                        throw Problem(
                            .unknown, "", "unknown question set \"\(name)\"",
                            remedy: "To list question sets, run: orrery corpus questions")
                    }
                    try retriever.store.removeQuestionSet(known.id)
                    return Output.result("removed \(name)")
                }
                if let name { return try show(name, try retriever.questions(name, of: found)) }
                let sets = try retriever.store.questionSets(of: found.id)
                try Listing(sets, "sets") { table in
                    table.text("set", json: "name", \.name)
                    table.text("questions", json: "questions", align: .right, \.count) { Format.count($0) }
                }.print(as: output.form)
            }
        }

        private func show(_ name: String, _ set: QuestionSet) throws {
            if output.form == .json { return Output.raw(set.text) }
            for one in set.cases {
                Output.result("\(one.id)  \(Printable.line(one.question))")
                for gold in one.gold {
                    let range = gold.range.map { "  bytes \($0.lowerBound)–\($0.upperBound)" } ?? ""
                    Output.result("    \(Printable.line(gold.document))\(range)")
                }
            }
        }
    }
}
