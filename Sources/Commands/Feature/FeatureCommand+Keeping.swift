import ArgumentParser
import CommandSupport
import Console
import FeatureLab
import Formatting
import Interpretability
import JSON
import ModelLab
import System
import Tables
import Traces
import Workspace

extension FeatureCommand {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an existing dictionary: sae-lens folder or Gemma Scope params.npz.",
            discussion: "The weights are not copied; the workspace stores their path and digest.")

        @Argument(help: "Dictionary folder or file.", completion: .file())
        var path: String

        @Option(help: "Dictionary name (default: folder name).")
        var name: String?

        @Option(help: "Model name, or path of a model file or folder.", completion: .file())
        var model: String?

        @Option(help: "Hook, if the files do not record it.")
        var hook: String?

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = FeatureStore(try place.open())
                let added = try store.add(at: path, name: name, hook: hook, modelPath: try model.map(place.modelPath))
                let record = added.dictionary
                Output.result(
                    "\(record.name): \(Format.count(record.featureCount)) features of width \(record.width), "
                        + "\(record.kind), at "
                        + (record.hook.isEmpty
                            ? "an unknown hook. To set it, run: orrery feature set \(record.name) --hook HOOK"
                            : record.hook)
                        + (record.modelPath.map { " of \($0)" } ?? "")
                        + (added.labels > 0 ? "; \(Format.count(added.labels)) labels" : ""))
                if let remark = added.remark { Output.note("labels were not imported: \(remark)") }
                if record.modelPath == nil {
                    Output.note(
                        "unknown model file. To set it, run: orrery feature set \(record.name) --model FILE")
                }
                Output.note(FeatureSteps.added(record))
            }
        }
    }

    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the dictionaries of the workspace.")

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<FeatureDictionary> {
            let store = try options.workspace().map(FeatureStore.init)
            let more = try store?.namesToAdd() ?? FeatureStore.installedNames
            let hint = "\(more.joined(separator: ", ")) is included. Try: orrery feature show \(more.first ?? "")"
            return Listing(
                try store?.dictionaries() ?? [], "dictionaries",
                empty: "no dictionaries yet. Run orrery feature train, or import one with orrery feature add.",
                notes: more.isEmpty ? [] : [hint]
            ) { table in
                table.text("", json: nil, align: .right, \.id)
                table.text("name", \.name)
                table.text("kind", \.kind)
                table.text("features", json: nil, align: .right, \.featureCount) { Format.count($0) }
                table.text("width", json: nil, align: .right, \.width)
                table.text("L0", json: nil, align: .right, \.meanActive) {
                    $0.map { Format.fixed($0, digits: 1) } ?? ""
                }
                table.text("hook", \.hook)
                table.text("model") { one in
                    let isFound = store?.located(one).modelPath != nil || one.model.isEmpty
                    return one.model + (isFound ? "" : " (not found)")
                }
                table.text("indexed tokens", json: nil, align: .right, \.index?.tokens) { $0.map(Format.count) ?? "" }
            }
        }
    }

    struct SetOrigin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set the model and hook of a dictionary.")

        @OptionGroup var dictionary: DictionaryArgument

        @Option(help: "Model name, or path of a model file or folder.", completion: .file())
        var model: String?

        @Option(help: "Hook, such as blocks.3.hook_resid_post.")
        var hook: String?

        func validate() throws {
            guard model != nil || hook != nil else { throw ValidationError("--model or --hook is required.") }
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
                Output.note("\(record.name): \(hook ?? record.hook) of \(path ?? "an unknown model")")
            }
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Rename a dictionary.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(help: "New name.")
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
            abstract: "Remove a dictionary, its index, and its labels, but not its files.")

        @OptionGroup var dictionary: DictionaryArgument

        func run() throws {
            try answering {
                let store = FeatureStore(try dictionary.place.openExisting())
                let record = try store.dictionary(matching: dictionary.dictionary)
                try store.delete(record.id)
                Output.note(
                    "removed \(record.name) from the workspace" + (record.path.map { "; \($0) was not deleted" } ?? ""))
            }
        }
    }

    struct Label: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "label", abstract: "Set a feature's label, or remove the label with --clear.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(help: "Feature number.")
        var feature: Int

        @Argument(help: "Label in a few words.")
        var text: String?

        @Flag(help: "Remove the label.")
        var clear = false

        @Option(help: "Additional note.")
        var note = ""

        func validate() throws {
            guard clear != (text?.isEmpty == false) else {
                throw ValidationError("a label is required. To remove a label, use --clear.")
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
            abstract: "Import labels and examples from Neuronpedia JSON.")

        @OptionGroup var dictionary: DictionaryArgument

        @Argument(
            help: "File: .json or .jsonl, optionally .gz.", completion: .file(extensions: ["json", "jsonl", "gz"]))
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
            abstract: "Export a dictionary (sae-lens), or its features (CSV, JSON).")

        @OptionGroup var dictionary: DictionaryArgument

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: "Folder for weights; .csv or .json for features.")
        var target: String

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found()
                if target.hasSuffix(".csv") || target.hasSuffix(".json") {
                    let text = try store.exportList(of: record.id, as: target.hasSuffix(".csv") ? .csv : .json)
                    try ExportFile.write(target, replacing: false) { try $0(text) }
                } else {
                    guard !ModelPath.exists(target + "/sae_weights.safetensors") else {
                        throw Problem(
                            .invalid, "", "\(target) already contains a dictionary", remedy: "Choose another folder.")
                    }
                    try DictionaryFile.write(try OpenedDictionary(record).weights, to: target)
                }
                Output.note("wrote \(target)")
            }
        }
    }
}
