import Console
import Testing
import Workbench

extension Effect {
    /// What a panel asks of a person, as a line that takes text: the value of a choice, a path, the key that answers a
    /// question, or `name=value` for a field of a form. nil for effects that ask nothing.
    var asked: Prompt<Answer>? {
        switch self {
        case .prompt(let prompt): prompt
        case .choose(let request):
            Prompt(request.chooser.title, text: request.chooser.query, cancelled: request.cancelled) {
                request.accept([$0])
            }
        case .browse(let request): Prompt(request.title, cancelled: request.cancelled) { request.accept($0) }
        case .fill(let request):
            Prompt(
                request.form.title,
                text: request.form.values.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }.sorted()
                    .joined(separator: " "), cancelled: request.cancelled
            ) { text in
                var values = request.form.values
                for field in text.split(separator: " ") {
                    let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    values[String(halves[0])] = halves.count > 1 ? String(halves[1]) : ""
                }
                return request.accept(values)
            }
        case .question(let question):
            Prompt(question.title) { text in
                guard let option = question.options.first(where: { String($0.key) == text }) else {
                    Issue.record("“\(question.title)” has no answer \(text)")
                    return question.options[0].value
                }
                return option.value
            }
        default: nil
        }
    }
}
