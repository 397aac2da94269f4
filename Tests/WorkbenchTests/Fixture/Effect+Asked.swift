import Console
import Testing
import Workbench

extension Effect {
    /// What a panel asks of a person, as a line that takes text: the value of a choice, a path, the key that answers a
    /// question, the value of a form's only field, or `name=value` for each field of a longer form. nil for effects that
    /// ask nothing.
    var asked: Prompt<Answer>? {
        switch self {
        case .prompt(let prompt): prompt
        case .choose(let request):
            Prompt(request.chooser.title, text: request.chooser.query, cancelled: request.cancelled) {
                request.accept([$0])
            }
        case .browse(let request): Prompt(request.title, cancelled: request.cancelled) { request.accept($0) }
        case .fill(let request): Self.line(of: request)
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

    /// The form's error for a value of its only field; `nil` if the value is valid, and for other effects.
    func problem(with value: String) -> String? {
        guard case .fill(let request) = self, request.form.fields.count == 1 else { return nil }
        return request.form.fields[0].check(value)
    }

    private static func line(of request: FormRequest<Answer>) -> Prompt<Answer> {
        let form = request.form
        if form.fields.count == 1 {
            let field = form.fields[0]
            return Prompt(form.title, text: field.value, cancelled: request.cancelled) {
                request.accept([field.name: $0])
            }
        }
        let text = form.values.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }.sorted()
        return Prompt(form.title, text: text.joined(separator: " "), cancelled: request.cancelled) { text in
            var values = request.form.values
            for field in text.split(separator: " ") {
                let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                values[String(halves[0])] = halves.count > 1 ? String(halves[1]) : ""
            }
            return request.accept(values)
        }
    }
}
