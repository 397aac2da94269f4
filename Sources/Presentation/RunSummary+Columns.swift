internal import Console
internal import Formatting
package import Tables
internal import Training
package import TrainingLab

extension RunSummary: Tabular {
    package static func columns(_ table: inout Columns<RunSummary>) {
        table.text("", json: nil, align: .right, \.id)
        table.text("run", json: nil, \.name)
        table.text("state") { "\($0.state)" }
        table.text("step", align: .right) { Format.count($0.step, of: $0.steps) }
        table.text("loss", json: nil, align: .right, \.loss) { $0.map(Format.loss) ?? "" }
        let validation = { (run: RunSummary) in run.last(RunSeries.validationLoss) }
        table.text("validation", json: nil, align: .right, validation) { $0.map(Format.loss) ?? "" }
        table.text("parameters", json: nil, align: .right, \.parameters) { $0 > 0 ? Format.compact($0) : "" }
    }
}

extension RunSummary {
    /// Loss for a list: the training loss if recorded; otherwise, the first curve with "loss" in its name.
    package var loss: Double? {
        last(RunSeries.trainLoss) ?? last.first { $0.series.lowercased().contains("loss") }?.value ?? last.first?.value
    }
}
