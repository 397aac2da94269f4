package import Console

/// Requests of a page to the shell: work outside the UI thread, dialogs, and operations of the shell.
///
/// Each request carries its continuation, which receives a typed value and changes the page. Continuations run on the UI
/// thread only and need not be `Sendable`. Several requests are an array literal: `[.notify("renamed"), .changed]`.
package struct Work<P>: ExpressibleByArrayLiteral {
    /// Registers continuations and returns what the shell performs, if anything.
    typealias Request = (inout Continuations<P>) -> ShellEffect?
    private var requests: [Request]

    init(_ request: @escaping Request) { requests = [request] }
    package init(_ parts: [Work]) { requests = parts.flatMap(\.requests) }
    package init(arrayLiteral elements: Work...) { self.init(elements) }

    package static func + (left: Work, right: Work) -> Work { [left, right] }

    /// Returns the requests in the form that the shell performs.
    func effects(_ pending: inout Continuations<P>) -> [ShellEffect] { requests.compactMap { $0(&pending) } }
}

// MARK: Reads

extension Work {
    /// Repeats one of the page's `reads`, although its question is the same.
    package static func again(_ key: String) -> Work {
        Work { pending in
            pending.repeated.insert(key)
            return nil
        }
    }
}

// MARK: The shell

extension Work {
    private init(_ effect: ShellEffect) { self.init { _ in effect } }

    package static func notify(_ sentence: String, _ severity: Severity = .information) -> Work {
        Work(.notify(sentence, severity))
    }
    /// Opens an object on the page that can show it, or asks for the page if there are several.
    package static func open(_ reference: Reference) -> Work { Work(.open(reference)) }
    /// Lists the pages that can show an object.
    package static func offer(_ reference: Reference) -> Work { Work(.offer(reference)) }
    /// Returns to the page where the last `open` came from.
    package static var back: Work { Work(.back) }
    /// Reports to every page that the contents of the workspace changed.
    package static var changed: Work { Work(.changed) }
    package static func copy(_ text: String, what: String) -> Work { Work(.copy(text, what: what)) }
    /// Ends the read, stream, or wait with this key.
    package static func cancel(_ key: String) -> Work { Work(.cancel(key: key)) }

    /// Continues after some time; a later wait with the same key replaces this one.
    package static func wait(_ key: String, _ duration: Duration, then: @escaping (inout P) -> Work) -> Work {
        Work { pending in
            .wait(key: key, for: duration, then: pending.expect("wait " + key) { page, _ in then(&page) }(()))
        }
    }

    /// Opens a file in the user's editor and continues when the editor is closed.
    package static func edit(_ path: String, then: @escaping (inout P) -> Work) -> Work {
        Work { pending in .edit(path: path, then: pending.expect("edit") { page, _ in then(&page) }(())) }
    }
}

// MARK: Dialogs

extension Work {
    /// Asks for one of several values.
    ///
    /// - Parameter typed: Label of the action that Enter performs on text that matches no choice, such as `Add the model
    ///   at`, and its continuation.
    package static func choose<Value>(
        _ title: String, _ choices: [Choice<Value>], typed: (verb: String, then: (inout P, String) -> Work)? = nil,
        then: @escaping (inout P, Value) -> Work
    ) -> Work {
        choose(title, many: choices, allowsMany: false, typed: typed) { then(&$0, $1[0]) }
    }

    /// Asks for several values, marked with Tab.
    package static func choose<Value>(
        _ title: String, many choices: [Choice<Value>], allowsMany: Bool = true,
        typed: (verb: String, then: (inout P, String) -> Work)? = nil, then: @escaping (inout P, [Value]) -> Work
    ) -> Work {
        Work { pending in
            // The shell handles rows as text; the values stay here.
            let rows = choices.indices.map { index in choices[index].map { _ in "\(index)" } }
            let reply = pending.expect("dialog") { (page: inout P, rows: [String]) in
                then(&page, rows.compactMap { Int($0) }.map { choices[$0].value })
            }
            var request = ChoiceRequest<any Sendable>(title, many: rows) { reply($0) }
            request.chooser.allowsMultiple = allowsMany
            if let typed {
                request.chooser.typedAction = typed.verb
                request.acceptTyped = pending.expect("dialog text", typed.then).callAsFunction
            }
            return .choose(request)
        }
    }

    /// Asks for one value of a prepared list, such as the models of the workspace.
    static func choose(_ request: ChoiceRequest<String>, then: @escaping (inout P, String) -> Work) -> Work {
        Work { pending in
            let reply = pending.expect("dialog", then)
            var erased = ChoiceRequest<any Sendable>("", many: []) { reply(request.accept($0)) }
            erased.chooser = request.chooser
            erased.acceptTyped = { reply(request.accept([$0])) }
            return .choose(erased)
        }
    }

    /// Asks for a file or folder with a prepared request.
    static func browse(_ request: FileRequest<String>, then: @escaping (inout P, String) -> Work) -> Work {
        browse(request.title, request.wanted, from: request.folder, isExpected: request.isExpected, then: then)
    }

    /// Asks for the values of a form.
    package static func form(_ form: Form, then: @escaping (inout P, [String: String]) -> Work) -> Work {
        Work { pending in .fill(FormRequest(form, accept: pending.expect("dialog", then).callAsFunction)) }
    }

    /// Asks for one value.
    package static func value(
        _ title: String, verb: String = "apply", _ field: Form.Field, then: @escaping (inout P, String) -> Work
    ) -> Work {
        Work { pending in
            .fill(FormRequest(title, verb: verb, field, accept: pending.expect("dialog", then).callAsFunction))
        }
    }

    /// Asks for the file that an export writes.
    package static func export(
        _ title: String, name: String, endings: [String], then: @escaping (inout P, String) -> Work
    ) -> Work {
        Work { pending in
            let reply = pending.expect("dialog", then)
            return .fill(
                FormRequest(export: title, name: name, endings: endings) { reply(PathCompletion.expanded($0)) })
        }
    }

    /// Asks for an existing file or folder.
    package static func browse(
        _ title: String, _ wanted: FileBrowser.Selectable = .file, from folder: String? = nil,
        isExpected: @escaping @Sendable (String) -> Bool = { _ in true }, then: @escaping (inout P, String) -> Work
    ) -> Work {
        Work { pending in
            .browse(
                FileRequest(
                    title, wanted, from: folder, isExpected: isExpected,
                    accept: pending.expect("dialog", then).callAsFunction))
        }
    }

    /// Asks before an action that cannot be undone.
    package static func question<Value>(
        _ question: Question<Value>, then: @escaping (inout P, Value) -> Work
    ) -> Work {
        Work { pending in
            let reply = pending.expect("dialog", then)
            return .question(question.map { reply($0) })
        }
    }

    /// Asks for a line of text.
    ///
    /// - Parameters:
    ///   - live: Runs after every change to the text, for filters.
    ///   - cancelled: Runs if the user leaves without a line.
    package static func prompt(
        _ label: String, text: String = "", isProposal: Bool = true, history: String? = nil,
        complete: @escaping @Sendable (String) -> [String] = { _ in [] },
        live: ((inout P, String) -> Work)? = nil, cancelled: ((inout P) -> Work)? = nil,
        then: @escaping (inout P, String) -> Work
    ) -> Work {
        Work { pending in
            var prompt = Prompt<any Sendable>(
                label, text: text, isProposal: isProposal, history: history, complete: complete,
                accept: pending.expect("dialog", then).callAsFunction)
            if let live { prompt.live = pending.expect("dialog text", isRepeated: true, live).callAsFunction }
            if let cancelled { prompt.cancelled = pending.expect("dialog left") { page, _ in cancelled(&page) }(()) }
            return .prompt(prompt)
        }
    }
}
