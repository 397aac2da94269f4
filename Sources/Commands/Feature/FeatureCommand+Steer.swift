import ArgumentParser
import CommandSupport
import Console
import FeatureLab
import Formatting
import Interpretability
import System

extension FeatureCommand {
    struct Steer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "steer",
            abstract: "Steer features during generation, and show the result next to the original text.",
            discussion: """
                --set 417=6 holds feature 417 at 6; --set 417=2x holds it at twice its maximum; --scale 417=0.5 halves \
                it; --off 417 sets it to 0. The rest of the activation is unchanged. A feature that is inactive on a \
                text has the value 0, so any multiple is also 0; --set 417=6 activates it. KL is the divergence \
                between the next-token distributions of the original and the steered model on the steered text, in \
                nats.
                """)

        @OptionGroup var dictionary: DictionaryArgument
        @OptionGroup var text: PromptOptions

        @Option(
            name: .customLong("set"), parsing: .singleValue,
            help: "FEATURE=VALUE or FEATURE=FACTORx; repeatable.")
        var values: [FeatureSetting] = []

        @Option(parsing: .singleValue, help: "FEATURE=FACTOR; repeatable.")
        var scale: [FeatureSetting] = []

        @Option(parsing: .singleValue, help: "Feature to set to 0; repeatable.")
        var off: [Int] = []

        @Option(parsing: .unconditional, help: "First prompt token to steer; negative counts from the end.")
        var from = 0

        @OptionGroup var answer: SteeredAnswerOptions

        @Option(help: "Model name or file, if not recorded.", completion: .file())
        var model: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard !(values.isEmpty && scale.isEmpty && off.isEmpty) else {
                throw ValidationError("at least one of --set, --scale, or --off is required.")
            }
            guard !scale.contains(where: \.isOfMaximum) else {
                throw ValidationError(
                    "--scale requires FEATURE=FACTOR, without x. Use --set for multiples of the maximum.")
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
                            throw Problem(
                                .missing, "", "\(opened.record.name) has no feature \(feature)",
                                remedy: "Use 0 to \(opened.weights.featureCount - 1).")
                        }
                        return try store.dashboard(of: opened.record.id, feature: feature).maximum
                    })
                output.json ? Output.json(report) : Output.result(report.text)
                for sentence in silent(report) { Output.note(sentence) }
            }
        }

        /// Returns notes on changes without effect, because the feature was 0 wherever they applied.
        private func silent(_ report: SteeringText) -> [String] {
            func isSilent(_ feature: Int) -> Bool { report.greatest(feature: feature) == 0 }
            return scale.filter { isSilent($0.feature) }.map {
                "feature \($0.feature) is never active on this text, and \(Format.compact(Double($0.value))) × 0 is 0. "
                    + "To activate it, use --set \($0.feature)=VALUE"
            } + off.filter(isSilent).map { "feature \($0) is never active on this text, so --off changes nothing" }
        }

        /// - Parameter maximum: Returns the maximum of a feature on the texts of its index; 0 without an index.
        private func changes(maximum: (Int) throws -> Float) throws -> [LiveIntervention] {
            func change(_ feature: Int, _ change: LiveIntervention.FeatureChange) throws -> LiveIntervention {
                let most = try maximum(feature)
                if most > 0 {
                    var sentence =
                        "feature \(feature): maximum \(Format.fixed(Double(most), digits: 2)) on the indexed texts"
                    if case .set(let value) = change {
                        sentence += ", held at \(Format.fixed(Double(value), digits: 2))"
                        if value > most { sentence += ", above every value in the index" }
                    }
                    Output.note(sentence)
                }
                return .init(.feature(dictionary: 0, feature: feature, change))
            }
            let set = try values.map { setting in
                let most = setting.isOfMaximum ? try maximum(setting.feature) : 1
                guard most > 0 else {
                    throw Problem(
                        .unknown, "",
                        "feature \(setting.feature) has no index or was never active, so its maximum is unknown",
                        remedy: "Use a number without x.")
                }
                return try change(setting.feature, .set(setting.value * most))
            }
            return try set + scale.map { try change($0.feature, .scale($0.value)) } + off.map { try change($0, .off) }
        }
    }
}

/// A setting such as `417=6`, or `417=2x` for twice the feature's maximum.
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
