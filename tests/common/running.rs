//! Processes that are watched, interrupted and killed.

use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A process that doesn't outlive its test, should that fail.
pub struct Running(Option<Child>);

/// Starts a process, its standard output thrown away.
pub fn running(command: &mut Command) -> Running {
    start(command.stdout(Stdio::null()))
}

/// Starts a process, its standard output as the command has it.
pub fn start(command: &mut Command) -> Running {
    Running(Some(command.stderr(Stdio::piped()).spawn().unwrap()))
}

impl Running {
    /// Sends a signal.
    pub fn signal(&self, signal: &str) {
        let id = self.0.as_ref().unwrap().id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
    }

    /// The process.
    pub fn child(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }

    /// What it wrote, once it has ended.
    pub fn output(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }

    /// Whether it ends by itself within a time.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < time {
            if self.child().try_wait().unwrap().is_some() {
                return true;
            }
            sleep(Duration::from_millis(5));
        }
        false
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits for something to be so; a minute is long enough for a busy machine.
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never came");
        sleep(Duration::from_millis(5));
    }
}
