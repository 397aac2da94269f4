internal import Foundation
internal import LanguageModels
internal import ModelLab

extension TokenStep {
    /// Whether another token was more probable, or the probability is below a fifth.
    var isSurprise: Bool {
        guard let log = logProbability else { return false }
        return exp(log) < 0.2 || alternatives?.first.map { !$0.isSame(as: self) && $0.logProbability > log } == true
    }
}

extension Generation {
    /// The surprises, least probable first.
    var surprises: [Int] {
        steps.indices.filter { steps[$0].isSurprise }
            .sorted { (steps[$0].logProbability ?? 0, $0) < (steps[$1].logProbability ?? 0, $1) }
    }

    /// The least probable token; `nil` if no token is a surprise.
    var greatestSurprise: Int? { surprises.first }

    var medianSeconds: Double? {
        let times = steps.compactMap(\.seconds).sorted()
        return times.isEmpty ? nil : times[times.count / 2]
    }

    /// Returns the number of steps until the texts of two answers differ.
    func commonSteps(with other: Generation) -> Int {
        zip(steps, other.steps).prefix { $0.text == $1.text }.count
    }
}
