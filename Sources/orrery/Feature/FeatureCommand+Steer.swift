import ArgumentParser
import Console
import FeatureLab
import Interpretability

extension FeatureCommand {
    struct Steer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "steer",
            abstract:
                "Let features speak louder, or not at all, while a model writes; the untouched text stands beside it.",
            discussion: """
                --set 417=6 holds feature 417 at 6, --set 417=2x at twice the most that it ever was, --scale 417=0.5 halves it, --off 417 silences it; the rest of the \
                activation stays as it was. A feature that does not fire on a text is 0, and so is any multiple of it: \
                --set makes it speak there. KL is that of the untouched model's next token from the changed one's, on the \
                changed text, in nats.
                """)

        @OptionGroup var dictionary: DictionaryArgument
        @OptionGroup var text: PromptOptions

        @Option(
            name: .customLong("set"), parsing: .singleValue,
            help: "FEATURE=VALUE or FEATURE=FACTORx; may be given several times.")
        var values: [FeatureSetting] = []

        @Option(parsing: .singleValue, help: "FEATURE=FACTOR; may be given several times.")
        var scale: [FeatureSetting] = []

        @Option(parsing: .singleValue, help: "A feature; may be given several times.")
        var off: [Int] = []

        @Option(parsing: .unconditional, help: "From this token of the prompt on: from 0, or from its end as -1.")
        var from = 0

        @OptionGroup var answer: SteeredAnswerOptions

        @Option(help: "The model's name or file, where it is not known.", completion: .file())
        var model: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard !(values.isEmpty && scale.isEmpty && off.isEmpty) else {
                throw ValidationError("name a change: --set, --scale or --off.")
            }
            guard !scale.contains(where: \.isOfMaximum) else {
                throw ValidationError("--scale takes FEATURE=FACTOR, without x.")
            }
        }

        func run() throws {
            try answering {
                let (store, record) = try dictionary.found()
                let opened = try OpenedDictionary(record)
                let model = try InspectedModel(path: try dictionary.modelPath(of: opened.record, model))
                var options = try answer.options()
                options.dictionaries = [
                    try AttachedDictionary(
                        opened.record.name, opened.weights, hook: try opened.hook(in: model), for: model)
                ]
                let report = try SteeringText(
                    model, prompt: try text.text(), options: options, from: from, most: answer.most,
                    try changes { feature in
                        guard (0..<opened.weights.featureCount).contains(feature) else {
                            throw Failure(
                                "\(opened.record.name) has the features 0 to \(opened.weights.featureCount - 1), and "
                                    + "no \(feature).")
                        }
                        return try store.dashboard(of: opened.record.id, feature: feature).maximum
                    })
                output.json ? Output.json(report) : Output.result(report.text)
                for sentence in silent(report) { Output.note(sentence) }
            }
        }

        /// Changes that could change nothing, for the feature was 0 wherever they held.
        private func silent(_ report: SteeringText) -> [String] {
            func isSilent(_ feature: Int) -> Bool { report.greatest(feature: feature) == 0 }
            return scale.filter { isSilent($0.feature) }.map {
                "feature \($0.feature) never fires on this text: \(AxisLabel.text(Double($0.value))) x 0 is 0. "
                    + "--set \($0.feature)=VALUE holds it at a value."
            } + off.filter(isSilent).map { "feature \($0) never fires on this text: there is nothing to silence." }
        }

        /// - Parameter maximum: of a feature on the texts of its index; 0 without one.
        private func changes(maximum: (Int) throws -> Float) throws -> [LiveIntervention] {
            func change(_ feature: Int, _ change: LiveIntervention.FeatureChange) throws -> LiveIntervention {
                let most = try maximum(feature)
                if most > 0 {
                    var sentence = "feature \(feature): at most \(Format.fixed(Double(most), digits: 2)) on its texts"
                    if case .set(let value) = change {
                        sentence += ", held at \(Format.fixed(Double(value), digits: 2))"
                        if value > most { sentence += ", which no text of its index reached" }
                    }
                    Output.note(sentence)
                }
                return .init(.feature(dictionary: 0, feature: feature, change))
            }
            let set = try values.map { setting in
                let most = setting.isOfMaximum ? try maximum(setting.feature) : 1
                guard most > 0 else {
                    throw Failure(
                        "feature \(setting.feature) has no maximum, as it has no index or never fired: give a number "
                            + "without x.")
                }
                return try change(setting.feature, .set(setting.value * most))
            }
            return try set + scale.map { try change($0.feature, .scale($0.value)) } + off.map { try change($0, .off) }
        }
    }
}

/// `417=6`, and `417=2x` for twice the feature's maximum.
struct FeatureSetting: ExpressibleByArgument {
    let feature: Int
    let value: Float
    let isOfMaximum: Bool

    init?(argument: String) {
        let halves = argument.split(separator: "=", maxSplits: 1)
        guard halves.count == 2, let feature = Int(halves[0]) else { return nil }
        isOfMaximum = halves[1].hasSuffix("x")
        guard let value = Float(isOfMaximum ? halves[1].dropLast() : halves[1]), value.isFinite else { return nil }
        self.feature = feature
        self.value = value
    }
}
