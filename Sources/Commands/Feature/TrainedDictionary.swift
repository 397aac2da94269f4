import CommandSupport
import Console
import Formatting
import Interpretability
import JSON

/// Result of training a dictionary: the figures of its last step.
struct TrainedDictionary: JSONRepresentable {
    let name: String
    let folder: String
    /// Figures of the last step; `nil` if no step was left.
    let last: DictionaryProgress?

    var sentence: String {
        var text = "wrote \(folder), and added the dictionary as \(name)"
        if let last {
            text +=
                "; L0 \(Format.fixed(last.loss.meanActive, digits: 1)), explained "
                + "\(Format.percent(last.loss.explainedVariance, digits: 1)) in the last step, \(last.deadCount) of "
                + "\(Format.count(last.features)) features dead"
        }
        return text
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("dictionary", name)
            json.member("folder", folder)
            if let last {
                json.member("steps", last.steps)
                json.member("l0", last.loss.meanActive)
                json.member("explained_variance", last.loss.explainedVariance)
                json.member("dead", last.deadCount)
                json.member("features", last.features)
            }
        }
    }
}

/// Progress of a training: a line on a terminal, or one JSON object per report.
final class TrainingProgressLines {
    private let line = FractionLine("training")
    private let isJSON: Bool
    private(set) var last: DictionaryProgress?

    init(isJSON: Bool) { self.isJSON = isJSON }

    func show(_ progress: DictionaryProgress) {
        last = progress
        if isJSON { return Output.raw(progress.json(.compact) + "\n") }
        line.show(
            Double(progress.step) / Double(max(1, progress.steps)),
            "L0 \(Format.fixed(progress.loss.meanActive, digits: 1))  explained "
                + "\(Format.percent(progress.loss.explainedVariance, digits: 1))  dead \(progress.deadCount)  "
                + Format.rate(progress.rowsPerSecond, "rows"))
    }

    func end() { line.end() }
}
