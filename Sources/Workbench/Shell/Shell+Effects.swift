internal import Console
internal import Workspace

extension Shell {
    /// Performs the effects of a panel.
    func perform(_ effects: [ShellEffect], for panel: Int) {
        for effect in effects {
            needsDrawing = true
            switch effect {
            case .ask(let key, let work): ask(key, of: panel, work)
            case .write(let key, let work): write(key, of: panel, work)
            case .stream(let key, let work): stream(key, of: panel, work)
            case .job(let job): begin(job, of: panel)
            case .cancel(let key):
                let key = AskKey(panel: panel, key: key)
                asked[key]?.cancellation.cancel()
                if asked[key]?.isStream != true { asked[key] = nil }
                waits[key] = nil
            case .wait(let key, let duration, let answer):
                waits[AskKey(panel: panel, key: key)] = Wait(deadline: .now + duration, answer: answer)
            case .prompt(let prompt): begin(prompt, of: panel)
            case .choose(let request): begin(request, of: panel)
            case .browse(let request): begin(request, of: panel)
            case .fill(let request): begin(request, of: panel)
            case .question(let question): begin(question, of: panel)
            case .copy(let text, let what):
                requests.append(.copy(text))
                notify("copied \(what)", .success)
            case .edit(let path, let answer): requests.append(.edit(path: path, panel: panel, answer: answer))
            case .notify(let sentence, let severity): notify(sentence, severity)
            case .open(let reference): open(reference, leavingTrail: true)
            case .offer(let reference): offer(reference)
            case .back: goBack()
            case .changed: workspaceChanged()
            }
        }
    }

    private func ask(
        _ key: String, of panel: Int, _ body: @escaping @Sendable (Cancellation) throws -> any Sendable
    ) {
        let key = AskKey(panel: panel, key: key)
        asked.removeValue(forKey: key)?.cancellation.cancel()
        let cancellation = Cancellation()
        let ticket = takeTicket()
        asked[key] = Asked(ticket: ticket, cancellation: cancellation)
        run(panel: panel, key: key.key, ticket: ticket, lane: .read) {
            try cancellation.check()
            return try body(cancellation)
        }
    }

    private func write(_ key: String, of panel: Int, _ body: @escaping @Sendable () throws -> any Sendable) {
        let ticket = takeTicket()
        asked[AskKey(panel: panel, key: key)] = Asked(ticket: ticket, cancellation: Cancellation())
        run(panel: panel, key: key, ticket: ticket, lane: .write, body)
    }

    private func stream(
        _ key: String, of panel: Int,
        _ body: @escaping @Sendable (Cancellation, @Sendable (any Sendable) -> Void) throws -> any Sendable
    ) {
        let key = AskKey(panel: panel, key: key)
        asked.removeValue(forKey: key)?.cancellation.cancel()
        let cancellation = Cancellation()
        let ticket = takeTicket()
        asked[key] = Asked(ticket: ticket, cancellation: cancellation, isStream: true)
        let engine = engine
        run(panel: panel, key: key.key, ticket: ticket, lane: .job) {
            try body(cancellation) { engine.post(.told(panel: panel, key: key.key, ticket: ticket, value: $0)) }
        }
    }

    private func begin(_ request: JobRequest<any Sendable>, of panel: Int) {
        let ticket = takeTicket()
        let engine = engine
        let jobs = workspace.jobs
        self.jobs.append(RunningJob(ticket: ticket, panel: panel, title: request.title, handle: nil, job: nil))
        run(panel: panel, key: request.key, ticket: ticket, lane: .job) {
            let handle = try jobs.start(request.kind, title: request.title, arguments: request.arguments)
            engine.post(.began(ticket: ticket, handle))
            do {
                let answer = try request.work(handle)
                // Canceled work may return what it has by then; only complete work counts as done.
                if handle.isCancelled, handle.job.fraction ?? 0 < 1 { handle.cancelled() }
                try handle.finish()
                return answer
            } catch is CancellationError {
                handle.cancelled()
                throw CancellationError()
            } catch {
                handle.fail(sentence(of: error))
                throw error
            }
        }
    }

    /// Runs work of the shell outside the drawing thread, which never accesses files.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then take: @escaping @Sendable (Shell, Value) -> Void
    ) {
        let engine = engine
        engine.run(.read) {
            let value = work()
            engine.post(.finished({ take($0, value) }))
        }
    }

    func takeTicket() -> UInt64 {
        defer { nextTicket += 1 }
        return nextTicket
    }

    private func run(
        panel: Int, key: String, ticket: UInt64, lane: WorkLane, _ body: @escaping @Sendable () throws -> any Sendable
    ) {
        let engine = engine
        engine.run(lane) {
            do {
                engine.post(.answered(panel: panel, key: key, ticket: ticket, value: try body()))
            } catch is CancellationError {
                engine.post(.cancelled(panel: panel, key: key, ticket: ticket))
            } catch {
                engine.post(.failed(panel: panel, key: key, ticket: ticket, sentence: sentence(of: error)))
            }
        }
    }

    /// Handles the messages of the engine; `false` if there are none.
    @discardableResult
    package func drainEngine() -> Bool {
        let messages = engine.drain()
        var streaming: Set<Int> = []
        for message in messages {
            switch message {
            case .began(let ticket, let handle):
                guard let index = jobs.firstIndex(where: { $0.ticket == ticket }) else { continue }
                jobs[index].handle = handle
                if jobs[index].isCancelled { handle.cancellation.cancel() }
            case .resumed(let panel, let title, let ticket, let problem):
                isAnnouncing = true
                defer { isAnnouncing = false }
                _ = settle(panel: panel, key: title, ticket: ticket)
                notify(problem ?? "\(title): done", problem == nil ? .success : .failure)
                if problem == nil { perform([.changed], for: panel) }
            case .progressed(let job):
                guard let index = jobs.firstIndex(where: { $0.handle?.id == job.id }) else { continue }
                jobs[index].job = job
                refreshDepartures(isUrgent: false)
                needsDrawing = true
            case .answered(let panel, let key, let ticket, let value):
                isAnnouncing = jobs.contains { $0.ticket == ticket }
                defer { isAnnouncing = false }
                guard settle(panel: panel, key: key, ticket: ticket) else { continue }
                perform(panels[panel].answer(value), for: panel)
            case .told(let panel, let key, let ticket, let value):
                guard asked[AskKey(panel: panel, key: key)]?.ticket == ticket else { continue }
                needsDrawing = true
                streaming.insert(panel)
                perform(panels[panel].collect(value), for: panel)
            case .failed(let panel, let key, let ticket, let sentence):
                guard settle(panel: panel, key: key, ticket: ticket) else { continue }
                notify(sentence, .failure)
                perform(panels[panel].fail(key: key, sentence: sentence), for: panel)
            case .cancelled(let panel, let key, let ticket):
                let job = jobs.first { $0.ticket == ticket }
                guard settle(panel: panel, key: key, ticket: ticket), let job else { continue }
                isAnnouncing = true
                defer { isAnnouncing = false }
                notify("\(job.title): cancelled", .warning)
                perform(panels[panel].fail(key: key, sentence: "cancelled"), for: panel)
            case .underWay(let runs): askToLeave(runs)
            case .readyToLeave(let problem): leave(problem: problem)
            case .listed(let listing): show(listing)
            case .filePreview(let path, let lines): show(preview: lines, of: path)
            case .completed(let text, let candidates): complete(text, with: candidates)
            case .finished(let take):
                needsDrawing = true
                take(self)
            case .previewed(let ticket, let found): fillOpenMenu(ticket, found)
            }
        }
        for panel in streaming.sorted() { perform(panels[panel].settle(), for: panel) }
        if case .dialog(let dialog) = overlay, dialog.isOver { overlay = nil }
        return !messages.isEmpty
    }

    /// Removes work that has ended; `false` if its answer is no longer needed.
    private func settle(panel: Int, key: String, ticket: UInt64) -> Bool {
        if let index = jobs.firstIndex(where: { $0.ticket == ticket }) {
            jobs.remove(at: index)
            refreshDepartures(isUrgent: true)
            needsDrawing = true
            return true
        }
        let key = AskKey(panel: panel, key: key)
        guard asked[key]?.ticket == ticket else { return false }
        asked[key] = nil
        needsDrawing = true
        return true
    }

    func workspaceChanged() {
        for index in panels.indices where panels[index].isStarted {
            perform(panels[index].workspaceChanged(), for: index)
        }
    }

    /// Ends all work, so that leaving does not wait for it.
    package func cancelAll() {
        for asked in asked.values { asked.cancellation.cancel() }
        for index in jobs.indices {
            jobs[index].isCancelled = true
            jobs[index].handle?.cancellation.cancel()
        }
    }
}

/// Returns the message for an error: errors describe themselves in a sentence.
func sentence(of error: any Error) -> String { "\(error)" }
