/** Why a task stops, in the words and codes of ECS.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/stopped-task-error-codes.html */
export interface StopCause {
  stopCode:
    'TaskFailedToStart' | 'EssentialContainerExited' | 'UserInitiated' | 'TerminationNotice';
  stoppedReason: string;
}

export const essentialContainerExited: StopCause = {
  stopCode: 'EssentialContainerExited',
  stoppedReason: 'Essential container in task exited',
};

/** The emulator keeps the reason of a StopTask call; this stands where it gave none. */
export const stoppedByUser: StopCause = {
  stopCode: 'UserInitiated',
  stoppedReason: 'Task stopped by user',
};

/** A process of local Fargate that was killed took its containers with it. */
export const hostLost: StopCause = {
  stopCode: 'TerminationNotice',
  stoppedReason: 'Host terminated: local Fargate was restarted while the task ran',
};

export function cannotPullImage(image: string): StopCause {
  return {
    stopCode: 'TaskFailedToStart',
    stoppedReason: `CannotPullContainerError: ${image}: not found among the built environments`,
  };
}

export function cannotStartContainer(detail: string): StopCause {
  return { stopCode: 'TaskFailedToStart', stoppedReason: `CannotStartContainerError: ${detail}` };
}

export const outOfMemoryReason = 'OutOfMemoryError: Container killed due to memory usage';
