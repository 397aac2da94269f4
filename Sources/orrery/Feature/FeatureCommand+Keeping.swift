import ArgumentParser
import Console
import FeatureLab
import Interpretability
import JSON
import ModelLab
import Traces
import Workspace

extension FeatureCommand {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a dictionary that was trained elsewhere: a folder of sae-lens, a params.npz of Gemma Scope.",
            discussion: "The weights stay where they are; the workspace keeps path and digest.")

        @Argument(help: "The folder or file.", completion: .file())
        var path: String

        @Option(help: "What it is called; by default the name of the folder.")
        var name: String?

        @Option(help: "The model that it reads: its name, or the path of its file or folder.", completion: .file())
        var model: String?

        @Option(help: "The hook that it reads, where its files do not say.")
        var hook: String?

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = FeatureStore(try place.open())
                let added = try store.add(at: path, name: name, hook: hook, modelPath: try model.map(place.modelPath))
                let record = added.dictionary
                Output.result(
                    "\(record.name): \(Format.count(record.featureCount)) features of width \(record.width), \(record.kind), at "
                        + (record.hook.isEmpty
                            ? "a hook that its files do not name: orrery feature set \(record.name) --hook HOOK"
                            : record.hook)
                        + (record.modelPath.map { " of \($0)" } ?? "")
                        + (added.labels > 0 ? "; \(Format.count(added.labels)) labels" : ""))
                if let remark = added.remark { Output.note("its labels were not taken: \(remark)") }
                if record.modelPath == nil {
                    Output.note(
                        "where its model lies is not known: orrery feature set \(record.name) --model FILE says it")
                }
                Output.note(FeatureSteps.added(record))
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the dictionaries of the workspace.")

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = place.isUnused ? nil : FeatureStore(try place.openForReading())
                let all = try store?.dictionaries() ?? []
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("dictionaries", all) }
                    return Output.result(json.text)
                }
                var table = TextTable(
                    ["", "name", "kind", "features", "width", "L0", "hook", "model", "indexed tokens"],
                    rightAligned: [0, 3, 4, 5, 8])
                for one in all {
                    let isFound = store?.located(one).modelPath != nil || one.model.isEmpty
                    table.add([
                        "\(one.id)", one.name, one.kind, Format.count(one.featureCount), "\(one.width)",
                        one.meanActive.map { Format.fixed($0, digits: 1) } ?? "", one.hook,
                        one.model + (isFound ? "" : " (not found)"), one.index.map { Format.count($0.tokens) } ?? "",
                    ])
                }
                Output.result(
                    all.isEmpty
                        ? "no dictionaries yet: orrery feature train makes one, orrery feature add takes one of sae-lens."
                        : table.text)
                let more = try store?.namesToAdd() ?? FeatureStore.installedNames
                if let first = more.first {
                    Output.note(
                        "\(more.joined(separator: ", ")) comes with the program and goes by its name: orrery feature show "
                            + first)
                }
            }
        }
    }

    struct SetOrigin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Say which model and which hook a dictionary reads, where its files do not.")

        @OptionGroup var dictionary: DictionaryArgument

        @Option(help: "The model: its name, or the path of its file or folder.", completion: .file())
        var model: String?

        @Option(help: "The hook, such as blocks.3.hook_resid_post.")
        var hook: String?

        func validate() throws {
            guard model != nil || hook != nil else { throw ValidationError("name a --model or a --hook.") }
        }

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found(writing: true)
                let path = try (model.map { try dictionary.place.modelPath($0) } ?? record.modelPath)
                    .map(ModelPath.absolute)
                if let path {
                    let opened = try InspectedModel(path: path)
                    let word = hook ?? record.hook
                    if !word.isEmpty {
                        _ = try AttachedDictionary(
                            record.name, try OpenedDictionary(record).weights, hook: try opened.hook(named: word),
                            for: opened)
                    }
                }
                try store.setOrigin(
                    of: record.id, hook: hook, model: model == nil ? nil : path.map(ModelPath.name(of:)),
                    modelPath: model == nil ? nil : path)
                Output.note("\(record.name): \(hook ?? record.hook) of \(path ?? "a model that is not known")")
            }
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Give a dictionary another name.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(help: "The new name.")
        var name: String

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found(writing: true)
                try store.rename(record.id, to: name)
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Take a dictionary with its index and labels out of the workspace. Its files stay.")

        @OptionGroup var dictionary: DictionaryArgument

        func run() throws {
            try answering {
                let store = FeatureStore(try dictionary.place.openExisting())
                let record = try store.dictionary(matching: dictionary.dictionary)
                try store.delete(record.id)
                Output.note("\(record.name) is out of the workspace" + (record.path.map { "; \($0) stays" } ?? ""))
            }
        }
    }

    struct Label: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "label", abstract: "Say what a feature means; --clear takes it back.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(help: "The feature.")
        var feature: Int

        @Argument(help: "What it means, in a few words.")
        var text: String?

        @Flag(help: "Take the label back.")
        var clear = false

        @Option(help: "More than that.")
        var note = ""

        func validate() throws {
            guard clear != (text?.isEmpty == false) else {
                throw ValidationError("say what the feature means, or take its label back with --clear.")
            }
        }

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found(writing: true)
                guard let text, !clear else { return try store.clearLabel(of: record.id, feature: feature) }
                try store.setLabel(text, note: note, of: record.id, feature: feature)
            }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Take labels and examples of Neuronpedia's JSON into a dictionary, all of a file or nothing.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(
            help: "The file: .json, .jsonl, also with .gz.", completion: .file(extensions: ["json", "jsonl", "gz"]))
        var path: String

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found(writing: true)
                let report = try store.importNeuronpedia(path, into: record.id)
                output.json
                    ? Output.json(report)
                    : Output.result("\(Format.count(report.features)) features, \(Format.count(report.labels)) labels")
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write a dictionary in the layout of sae-lens, or its list of features as CSV or JSON.")

        @OptionGroup var dictionary: DictionaryArgument

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: "A folder for the weights; .csv or .json for the list.")
        var target: String

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found()
                if target.hasSuffix(".csv") || target.hasSuffix(".json") {
                    let text = try store.exportList(of: record.id, as: target.hasSuffix(".csv") ? .csv : .json)
                    try ExportFile.write(target, replacing: false) { try $0(text) }
                } else {
                    guard !ModelPath.exists(target + "/sae_weights.safetensors") else {
                        throw Failure("\(target): holds a dictionary already, which stays. Name another folder.")
                    }
                    try DictionaryFile.write(try OpenedDictionary(record).weights, to: target)
                }
                Output.note("\(target): written")
            }
        }
    }
}
