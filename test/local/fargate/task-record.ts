import { z } from 'zod';

const pairSchema = z.object({ name: z.string(), value: z.string() });

const containerDefinitionSchema = z.object({
  name: z.string(),
  image: z.string(),
  essential: z.boolean().default(true),
  environment: z.array(pairSchema).default([]),
  /** Seconds between SIGTERM and SIGKILL; ECS takes 30 when it is not set. */
  stopTimeout: z.number().int().min(0).max(120).default(30),
  /** MiB; above it the container is killed. */
  memory: z.number().int().optional(),
});

const taskRecordSchema = z.object({
  taskArn: z.string(),
  desiredStatus: z.string(),
  lastStatus: z.string(),
  stoppedReason: z.string().nullish(),
  stopCode: z.string().nullish(),
  containerDefinitions: z.array(containerDefinitionSchema),
  overrides: z.object({
    containerOverrides: z
      .array(z.object({ name: z.string(), environment: z.array(pairSchema).default([]) }))
      .default([]),
  }),
});

/** The live tasks, and the number of the last change they contain. */
export const liveTasksSchema = z.object({
  change: z.number().int(),
  tasks: z.array(taskRecordSchema),
});

export type ContainerDefinition = z.infer<typeof containerDefinitionSchema>;
export type TaskRecord = z.infer<typeof taskRecordSchema>;

/** The last part of the ARN, which names folders. */
export function readTaskId(taskArn: string): string {
  const id = taskArn.split('/').at(-1) ?? '';
  if (!/^[0-9a-f-]{8,64}$/.test(id)) throw new Error(`task: id "${id}" cannot name a folder`);
  return id;
}
