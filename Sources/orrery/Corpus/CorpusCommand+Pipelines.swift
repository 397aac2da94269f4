import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Retrieval
import System
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
        @OptionGroup var output: JSONOption

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
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("name", found.name)
                    $0.member("version", ifPresent: found.version)
                    $0.member("toml", found.definition.toml)
                }
                return Output.result(json.text)
            }
            let toml = found.definition.toml
            Output.result(toml.isEmpty ? "# all defaults; see orrery corpus pipeline --defaults" : toml)
        }

        private func list() throws {
            let kept = place.isUnused ? [] : try CorpusStore(try place.openForReading()).pipelines()
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { json in
                    json.member("pipelines") { json in
                        json.array { json in
                            for one in kept {
                                json.object {
                                    $0.member("name", one.name)
                                    $0.member("version", one.version)
                                }
                            }
                        }
                    }
                }
                return Output.result(json.text)
            }
            var table = TextTable(["pipeline", "version", "description"], rightAligned: [1])
            if !kept.contains(where: { $0.name == Retriever.standardName }) {
                table.add([Retriever.standardName, "–", "words and vectors, combined by rank fusion"])
            }
            for one in kept {
                let definition = try? PipelineDefinition(one.toml, path: one.name)
                table.add([Printable.line(one.name), String(one.version), Printable.line(definition?.summary ?? "")])
            }
            Output.result(table.text)
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
        @OptionGroup var output: JSONOption

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
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { json in
                        json.member("sets") { json in
                            json.array { json in
                                for set in sets {
                                    json.object {
                                        $0.member("name", set.name)
                                        $0.member("questions", set.count)
                                    }
                                }
                            }
                        }
                    }
                    return Output.result(json.text)
                }
                var table = TextTable(["set", "questions"], rightAligned: [1])
                for set in sets { table.add([Printable.line(set.name), Format.count(set.count)]) }
                Output.result(table.text)
            }
        }

        private func show(_ name: String, _ set: QuestionSet) throws {
            if output.json { return Output.raw(set.text) }
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
